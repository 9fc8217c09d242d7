/** How a talk goes on: pure steps from one to the next. */
import { type Answer, type Answered, isRun } from '../../answer.ts';
import type { Catalog } from '../../catalog/index.ts';
import { items, parse } from '../../sql/index.ts';
import type { LastQuery, Talk } from './turn.ts';

/** Older turns are dropped; a prompt shows four, a person scrolls. */
const MOST_TURNS = 20;
const LINE_CHARACTERS = 300;
const MOST_PARTS = 40;

/** What is shown in a turn is asked for no longer in the next. */
export function withTurn(talk: Talk, question: string, answer: string): Talk {
  const turn = { question: lineOf(question), answer: lineOf(answer) };
  return { ...talk, turns: [...talk.turns, turn].slice(-MOST_TURNS) };
}

export interface AskedTurn {
  readonly answer: Answer;
  /** The question as the next one goes on from it. */
  readonly asked: string;
  /** Earlier questions it goes on from; empty where it stands by itself. */
  readonly before: readonly string[];
  /** Ids of the tables of the answer's SQL. */
  readonly tables: readonly string[];
  /** Ids of the only tables that it could use. */
  readonly within?: readonly string[] | undefined;
  readonly assumed?: Readonly<Record<string, string>> | undefined;
}

/** After a question was put to the engine. What was refused is none to go on from; the talk stands where it stood. */
export function afterAnswer(talk: Talk, { answer, asked, before, tables, within, assumed }: AskedTurn): Talk {
  const rest = settled(talk);
  if (answer.kind === 'reject') return rest;
  const { within: _within, assumed: _assumed, ...free } = rest;
  const next: Talk = {
    ...free,
    after: [...before, asked].slice(-MOST_TURNS),
    ...(within !== undefined && { within }),
    ...(assumed !== undefined && { assumed }),
  };
  switch (answer.kind) {
    case 'answered': {
      const { mended: _mended, ...unmended } = next;
      return { ...unmended, tables, lastQuery: lastQueryOf(answer) };
    }
    case 'clarify':
    case 'follow_up':
      return {
        ...next,
        pending: { recordId: answer.recordId, options: answer.options.map(({ label }) => label) },
      };
    default:
      return next;
  }
}

/** After tables were shown. */
export function afterTables(talk: Talk, tables: readonly string[]): Talk {
  return { ...settled(talk), tables };
}

/** After a question waits for its tables. */
export function afterOffer(
  talk: Talk,
  choosing: string,
  tables: readonly string[],
  ticked: readonly string[],
): Talk {
  return { ...settled(talk), choosing, tables, ticked };
}

/** After a query was mended. */
export function afterFix(talk: Talk, sql: string, tables: readonly string[]): Talk {
  return { ...settled(talk), mended: sql, tables };
}

/** Nothing waits any more: the person has said something else. */
export function settled(talk: Talk): Talk {
  const { pending: _pending, choosing: _choosing, ticked: _ticked, ...rest } = talk;
  return rest;
}

/** The SQL that "this query" means. */
export function lastSqlOf({ mended, lastQuery }: Talk): string | undefined {
  return mended ?? lastQuery?.sql;
}

/** An answer in a line. */
export function answerLine(answer: Answer): string {
  switch (answer.kind) {
    case 'answered': {
      if (!isRun(answer)) return `${answer.explanation} (not run)`;
      const [first] = answer.rows;
      const value = answer.rows.length === 1 && first?.length === 1 ? `: ${String(first[0])}` : '';
      return `${answer.explanation} (${answer.rows.length} rows${value})`;
    }
    case 'clarify':
    case 'follow_up':
      return answer.ask;
    case 'reject':
      return answer.message;
    case 'abstain':
      return `no answer: ${answer.reason}`;
  }
}

function lastQueryOf({
  question,
  readAs,
  sql,
  recordId,
  explanation,
  evidence,
  assumptions,
}: Answered): LastQuery {
  const parts = evidence.slice(0, MOST_PARTS).map(({ part, why }) => ({ sql: part, because: why }));
  const assumed = assumptions.slice(0, MOST_PARTS).map(({ text }) => text);
  return { question: readAs ?? question, sql, recordId, explanation, parts, assumptions: assumed };
}

function lineOf(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length <= LINE_CHARACTERS ? line : `${line.slice(0, LINE_CHARACTERS - 1)}…`;
}

/** Ids of the tables that a query reads; empty where it cannot be parsed. */
export function tablesOfSql(sql: string, catalog: Catalog): readonly string[] {
  const parsed = parse(sql, catalog.dialect);
  return parsed.ok ? items(parsed.tree, catalog).tables.map(({ id }) => id) : [];
}
