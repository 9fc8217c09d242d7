import type { SharedState } from '../../store/index.ts';

export type StateValue = string | number | null;
export type StateRow = Readonly<Record<string, unknown>>;
/** One statement with `$1`, `$2`, … for its values; tables are named `candor.<name>`. What it returned from is kept. */
export type RunState = (sql: string, values?: readonly StateValue[]) => Promise<readonly StateRow[]>;

/** What the server keeps: people, conversations, feedback, the audit log. A file, or PostgreSQL that several servers share. */
export interface ServerState {
  readonly run: RunState;
  /** Where other servers may have the same state; absent: it is this server's alone. */
  readonly shared?: SharedState;
  /** All that `work` runs is kept, or nothing of it. */
  transaction<Result>(work: (run: RunState) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
