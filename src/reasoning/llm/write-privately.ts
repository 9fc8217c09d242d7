/** The roles of writing in private mode: what quotes cells is cut before a prompt is made of it. */
import {
  knownWords,
  redactEngineError,
  redactQuoted,
  redactSql,
  withoutLiterals,
} from '../../catalog/index.ts';
import type { TokenLedger } from '../../model/index.ts';
import type {
  BrokenQuery,
  ExamplePair,
  JudgedCandidate,
  OddQuery,
  ResearchView,
  WriteQuestion,
  WriteReasoner,
  WriteReply,
} from '../write-reasoner.ts';

/**
 * Verified pairs without their literals; messages of engines and checks without what is neither in the question, the
 * schema nor the model's own SQL; no near values, no results. Rules of ours may have put a stored spelling into a query:
 * a literal that the model did not write and nobody told it is cut there, too.
 */
export function writePrivately(writer: WriteReasoner): WriteReasoner {
  /** What the model itself has said, by question. */
  const said = new WeakMap<TokenLedger, string[]>();
  const remember = <Reply extends WriteReply>({ ledger }: WriteQuestion, reply: Reply): Reply => {
    const texts = said.get(ledger) ?? [];
    said.set(ledger, [...texts, 'sql' in reply ? reply.sql : 'ask' in reply ? reply.ask : reply.missing]);
    return reply;
  };
  const cutter = (question: WriteQuestion): Cutter => cutterOf(question, said.get(question.ledger) ?? []);
  return {
    kind: writer.kind,
    sharing: 'private',
    write: async (question, draw) => remember(question, await writer.write(shown(question), draw)),
    fix: async (question, broken) =>
      remember(question, await writer.fix(shown(question), cutBroken(broken, cutter(question)))),
    revise: async (question, odd) =>
      remember(question, await writer.revise(shown(question), cutOdd(odd, cutter(question)))),
    research: (question, view) => writer.research(shown(question), cutView(view, cutter(question))),
    reflect: (question, view) => writer.reflect(shown(question), cutView(view, cutter(question))),
    writeTests: (question) => writer.writeTests(shown(question)),
    judgeTests: (question, candidates, tests) => {
      const { sql } = cutter(question);
      // Results are rows.
      const cut = candidates.map((candidate): JudgedCandidate => ({ sql: sql(candidate.sql) }));
      return writer.judgeTests(shown(question), cut, tests);
    },
  };
}

const PRIVATE_OBJECTION =
  'Something speaks against it: what you say is missing may be there, your options cannot be told apart, or the pair has other values. Answer, or say once more why not.';

/** A reading of the built-in engine may hold spellings that only the database has. */
function shown({ values: _, reading, objection, failed, ...question }: WriteQuestion): WriteQuestion {
  return {
    ...question,
    ...(failed !== undefined && { failed: cutBroken(failed, cutterOf(question, [])) }),
    examples: question.examples.map((pair) => cutPair(pair, question.dialect)),
    ...(reading !== undefined && { reading: { unread: reading.unread } }),
    // Which stored value was found is not told, only that something was.
    ...(objection !== undefined && { objection: PRIVATE_OBJECTION }),
  };
}

/** A pair keeps its shape: `WHERE city = :text`. */
function cutPair({ question, sql }: ExamplePair, dialect: WriteQuestion['dialect']): ExamplePair {
  const cut = redactSql(sql, dialect);
  return { question: withoutLiterals(question, cut.literals), sql: cut.sql };
}

interface Cutter {
  readonly known: ReadonlySet<string>;
  readonly sql: (sql: string) => string;
}

function cutterOf(
  { text, hint = '', definitions = [], knowledge, schema, dialect }: WriteQuestion,
  said: readonly string[],
): Cutter {
  const known = knownWords([text, hint, ...definitions, ...knowledge, schema, ...said]);
  const keeps = (literal: string): boolean => [...knownWords([literal])].every((word) => known.has(word));
  return { known, sql: (sql) => redactSql(sql, dialect, { keeps }).sql };
}

function cutBroken(
  { sql, problems, engineError, advice }: BrokenQuery,
  { known, sql: cutSql }: Cutter,
): BrokenQuery {
  return {
    sql: cutSql(sql),
    problems: problems.map((problem) => redactQuoted(problem, known)),
    ...(engineError !== undefined && { engineError: redactEngineError(engineError, known) }),
    ...(advice !== undefined && { advice }),
  };
}

function cutOdd({ sql, outcome }: OddQuery, { known, sql: cutSql }: Cutter): OddQuery {
  return { sql: cutSql(sql), outcome: redactEngineError(outcome, known), nearValues: [] };
}

function cutView(view: ResearchView, cutter: Cutter): ResearchView {
  return { ...view, broken: cutBroken(view.broken, cutter) };
}
