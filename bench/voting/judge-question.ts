/** Every query that was written for a question, run, compared with the gold, and assessed. */

import { explainQuestion } from '../../src/answering/index.ts';
import type { QueryResult } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import { certainFaults } from '../../src/faults/index.ts';
import { readQuery } from '../../src/faults/reading/index.ts';
import type { SelectionCandidate } from '../../src/generation/index.ts';
import { compareResults } from '../../src/lab/evaluation/index.ts';
import { groupResults, type ResultPolicy } from '../../src/results/index.ts';
import type { Scoring } from '../../src/session/project/open-scoring.ts';
import type { Session } from '../../src/session/project/session.ts';
import { assessQuery } from '../../src/uncertainty/index.ts';
import type { VotedQuestion } from './read-setups.ts';

export interface JudgedCandidate {
  readonly candidate: Omit<SelectionCandidate, 'index'>;
  readonly isRight: boolean;
}

export interface JudgedQuestion {
  /** By set-up. */
  readonly bySetup: ReadonlyMap<string, JudgedCandidate>;
  /** The first reading of the grounded engine; its voice counts as much as it is sure. */
  readonly engine: JudgedCandidate | undefined;
  /** Queries whose label in the data says otherwise, and all that have one. */
  readonly differs: number;
  readonly labelled: number;
}

const LIMITS = { rows: 50_000, bytes: 50_000_000, timeoutMs: 3_000 };

/** Undefined: the gold does not run. */
export async function judgeQuestion(
  question: VotedQuestion,
  session: Session,
  setups: readonly string[],
): Promise<JudgedQuestion | undefined> {
  const gold = await run(question.goldSql, session);
  if (typeof gold === 'string') return undefined;
  const { question: text, hint, now } = question.asked;
  const scoring = await session.scoring();
  const setting = { gold, session, scoring, about: scoring.prepare(text, hint) };
  const judged = new Map<string, JudgedCandidate>();
  const judge = async (sql: string): Promise<JudgedCandidate> => {
    const known = judged.get(sql);
    if (known !== undefined) return known;
    const fresh = await judgeSql(sql, setting);
    judged.set(sql, fresh);
    return fresh;
  };
  const bySetup = new Map<string, JudgedCandidate>();
  let [differs, labelled] = [0, 0];
  for (const setup of setups) {
    const written = question.sqlOf.get(setup);
    if (written === undefined) continue;
    const own = await judge(written.sql);
    bySetup.set(setup, own);
    if (written.isRight === undefined) continue;
    labelled += 1;
    if (written.isRight !== own.isRight) differs += 1;
  }
  const noon = new Date(`${now}T12:00:00Z`);
  const [reading] = explainQuestion(text, session, { now: noon, hint }).readings;
  const read = reading && (await judge(reading.sql));
  const stood = standIns([...judged.values()]);
  const inPlace = (one: JudgedCandidate): JudgedCandidate => stood.get(one) ?? one;
  return {
    bySetup: new Map([...bySetup].map(([setup, one]) => [setup, inPlace(one)])),
    engine: read && weighed(inPlace(read), reading.probability),
    differs,
    labelled,
  };
}

function weighed({ isRight, candidate }: JudgedCandidate, weight: number): JudgedCandidate {
  return { isRight, candidate: { ...candidate, weight } };
}

const POLICY: ResultPolicy = { columns: 'any', rows: 'bag', tolerance: 1e-3, textEqualsNumber: true };

/** Many panels compare the same results: a cell with the number of its group stands for each, and an empty one stays empty. */
function standIns(judged: readonly JudgedCandidate[]): ReadonlyMap<JudgedCandidate, JudgedCandidate> {
  const run = judged.flatMap((one) => {
    const { outcome } = one.candidate;
    return outcome.kind === 'rows' ? [{ one, result: outcome.result }] : [];
  });
  const groups = groupResults(
    run.map(({ result }) => result),
    POLICY,
  );
  return new Map(
    run.map(({ one, result: { rows } }, at) => {
      const group = groups[at] ?? 0;
      const isBlank = rows.every((row) => row.every((cell) => cell === null));
      // NULLs alone are told apart by their width.
      const row = isBlank ? Array<null>(group + 1).fill(null) : [group];
      const result = { columns: row.map(String), rows: rows.length === 0 ? [] : [row] };
      return [one, { ...one, candidate: { ...one.candidate, outcome: { kind: 'rows' as const, result } } }];
    }),
  );
}

interface JudgeSetting {
  readonly gold: QueryResult;
  readonly session: Session;
  readonly scoring: Scoring;
  readonly about: ReturnType<Scoring['prepare']>;
}

async function judgeSql(
  sql: string,
  { gold, session, scoring: { model, schema }, about: asked }: JudgeSetting,
): Promise<JudgedCandidate> {
  const ran = await run(sql, session);
  const { catalog } = session;
  const read = readQuery(sql, catalog.dialect, catalog);
  const faults = read.ok ? certainFaults(read.query, schema) : [];
  return {
    isRight:
      typeof ran !== 'string' &&
      compareResults(gold, ran, { policy: 'bird', orderMatters: false }) === 'equal',
    candidate: {
      ...(read.ok && { tree: read.query.tree }),
      problems: [],
      outcome: typeof ran === 'string' ? { kind: 'failed', message: ran } : { kind: 'rows', result: ran },
      doubts: faults.map(({ text }) => text),
      risk: assessQuery(read, sql, { schema, asked }, model).queryRisk,
      literalsExist: !faults.some(({ kind }) => kind === 'unseen-literal'),
    },
  };
}

/** The result, or why there is none. */
async function run(sql: string, { database }: Session): Promise<QueryResult | string> {
  try {
    const result = await database.query(sql, LIMITS);
    return result.truncatedBy === null ? result : 'the result is larger than is compared';
  } catch (error) {
    if (error instanceof CandorError) return error.message;
    throw error;
  }
}
