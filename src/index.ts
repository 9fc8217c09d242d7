/** Candor as a library: `open` a database, `ask` it, look at the kind of answer. Any new export here becomes public API. */
import type { Answer } from './answer.ts';
import { type AskOptions, ask } from './ask.ts';
import { readConfig } from './config/index.ts';
import { closeSession, type OpenOptions, openSession } from './session.ts';

export type {
  Abstain,
  Answer,
  Answered,
  Assumption,
  Check,
  Clarify,
  Evidence,
  FollowUp,
  Option,
  OutcomeKind,
  Reject,
  RejectReason,
  Span,
} from './answer.ts';
export type { AskOptions } from './ask.ts';
export { CandorError, type ErrorCode, type ErrorKind } from './errors.ts';
export type { Cell } from './sql/cell.ts';

export interface OpenRequest extends OpenOptions {
  /** `sqlite:path`, `duckdb:path`, or a path; alone or over a project's own. */
  readonly database?: string;
  /** Folder with `candor.yml`; found by walking up from `cwd` when absent. */
  readonly project?: string;
  /** Where relative paths start; the current folder when absent. */
  readonly cwd?: string;
}

/** An open database that answers questions. */
export interface Candor {
  ask(question: string, options?: AskOptions): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Opens a database or project; the first time it is read and indexed, later that is reused.
 * `const candor = await open({ database: 'shop.db' }); const answer = await candor.ask('how many orders in 2024?')`
 */
export async function open(request: OpenRequest = {}): Promise<Candor> {
  const { database, project, cwd = process.cwd(), ...options } = request;
  const session = await openSession(await readConfig({ cwd, database, project }), options);
  return {
    ask: (question, askOptions) => ask(question, session, askOptions),
    close: () => closeSession(session),
  };
}
