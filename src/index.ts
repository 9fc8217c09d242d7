/** Candor as a library: `open` a database, `ask` it, look at the kind of answer. Any new export here becomes public API. */
import {
  type ConverseOptions,
  converse,
  keepIn,
  NEW_TALK,
  type Reply,
  type Talk,
  type Turn,
} from './agent/index.ts';
import type { Answer } from './answer.ts';
import {
  type AskOptions,
  answerClarification,
  ask,
  type Fix,
  type FixOptions,
  fixQuery,
  type RunSqlOptions,
  runSql,
  type SqlOutcome,
} from './answering/index.ts';
import { readConfig } from './config/index.ts';
import { type OpenOptions, openProject } from './session/index.ts';
import type { SessionProperties } from './sql/rewrite/index.ts';

export {
  type Card,
  type ConverseOptions,
  parseTalk,
  type Reply,
  type Talk,
  type Turn,
} from './agent/index.ts';
export type { Abstain, Answer, Answered, Clarify, FollowUp, Reject } from './answer.ts';
export type { AskOptions, Fix, FixOptions, RunSqlOptions, SqlOutcome } from './answering/index.ts';
export { CandorError, type ErrorCode, type ErrorKind } from './errors.ts';
export type { ChatMessage, ChatReply, ChatRequest, LanguageModel } from './model/index.ts';
export type { Cell } from './sql/dialects/cell.ts';
export type { SessionProperties } from './sql/rewrite/index.ts';
export type { Problem } from './validation/index.ts';

export interface OpenRequest extends OpenOptions {
  /** A database URL, a path, or the name of a connection; alone or over a project's own. */
  readonly database?: string;
  /** Folder with `candor.yml`; found by walking up from `cwd` when absent. */
  readonly project?: string;
  /** Where relative paths start; the current folder when absent. */
  readonly cwd?: string;
  /** What row filters and masks name as `:tenant`, over those of `candor.yml`. */
  readonly sessionProperties?: SessionProperties;
}

/** An open database that answers questions. */
export interface Candor {
  ask(question: string, options?: AskOptions): Promise<Answer>;
  /** Answers a question back, by the id of its record: with a number, a label, words of one's own, "any" or "all". */
  answer(recordId: string, reply: string, options?: AskOptions): Promise<Answer>;
  /**
   * Takes a turn of a conversation: answers, tables, a mended query. The talk of the reply, plain data that `parseTalk` reads back, goes
   * with the next turn; without one a conversation begins.
   */
  converse(turn: string | Turn, talk?: Talk, options?: ConverseOptions): Promise<Reply>;
  /** Runs one reading statement through the guard. */
  sql(text: string, options?: RunSqlOptions): Promise<SqlOutcome>;
  /** Says everything that is wrong with a query and repairs it by rules; nothing is run. */
  fix(sql: string, options?: FixOptions): Promise<Fix>;
  close(): Promise<void>;
}

/**
 * Opens a database or project; the first time it is read and indexed, later that is reused.
 * `const candor = await open({ database: 'shop.db' }); const answer = await candor.ask('how many orders in 2024?')`
 */
export async function open(request: OpenRequest = {}): Promise<Candor> {
  const { database, project, cwd = process.cwd(), sessionProperties, ...options } = request;
  const config = await readConfig({ cwd, database, project, sessionProperties });
  const opened = await openProject(config, options);
  let session = opened;
  const keep: ConverseOptions['keep'] = async (change) => {
    const kept = await keepIn(opened)(change);
    session = await opened.withKnowledgeNow();
    return kept;
  };
  return {
    ask: (question, askOptions) => ask(question, session, askOptions),
    answer: (recordId, reply, askOptions) => answerClarification(recordId, reply, session, askOptions),
    converse: (turn, talk = NEW_TALK, converseOptions = {}) =>
      converse(typeof turn === 'string' ? { text: turn } : turn, talk, session, {
        keep,
        ...converseOptions,
      }),
    sql: (text, sqlOptions) => runSql(text, session, sqlOptions),
    fix: (text, fixOptions) => fixQuery(text, session, fixOptions),
    close: () => opened.close(),
  };
}
