import type { OwnCode } from '../../sql/index.ts';
import type {
  DatabaseSchema,
  Plan,
  QueryLimits,
  QueryResult,
  ServerDescription,
} from '../interface/database.ts';

/**
 * One connection to a database server. Runs one thing at a time; every method leaves no open transaction and no
 * changed setting behind, or makes the session unusable. Throws CandorError `database.*`, or `StaleSession` when
 * the connection turned out to be gone before the statement was sent.
 */
export interface ServerSession {
  /** False once its state is not known for certain: it must not run anything else. */
  readonly isUsable: boolean;
  query(sql: string, limits: QueryLimits): Promise<QueryResult>;
  explain(sql: string, timeoutMs: number): Promise<Plan>;
  readSchema(timeoutMs: number): Promise<DatabaseSchema>;
  stamp(timeoutMs: number): Promise<string>;
  readOwnCode(timeoutMs: number): Promise<OwnCode>;
  describe(timeoutMs: number): Promise<ServerDescription>;
  /** Asks the server, on another connection, to stop what this session runs. */
  cancel(): Promise<void>;
  /** Whether the connection keeps the program alive. */
  hold(isHeld: boolean): void;
  /** Ends it politely when idle. */
  end(): Promise<void>;
  /** Ends it at once; what runs fails. */
  destroy(): void;
}

/** The connection had ended while it was idle: nothing was run, another one may try. */
export class StaleSession extends Error {
  constructor(cause: unknown) {
    super('the connection ended while it was idle', { cause });
    this.name = 'StaleSession';
  }
}
