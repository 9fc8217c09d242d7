/** What runs inside the executor process: one embedded engine over one file. */
import type { ErrorCode } from '../../../errors.ts';
import type { OwnCode } from '../../../sql/guard/index.ts';
import type { DatabaseSchema, Plan, QueryLimits, QueryResult } from '../../interface/database.ts';

export type EngineName = 'sqlite' | 'duckdb';

export interface Engine {
  query(sql: string, limits: QueryLimits): Promise<QueryResult>;
  explain(sql: string): Promise<Plan>;
  /** The version of the engine's library. */
  version(): Promise<string>;
  readSchema(): Promise<DatabaseSchema>;
  readOwnCode(): Promise<OwnCode>;
  /** Stops the running query; only called where the traits say that the engine can. */
  interrupt(): void;
  close(): void;
}

export interface EngineTraits {
  readonly title: string;
  /** How the engine is kept from writing, for people. */
  readonly readOnlyBy: string;
  /** A running query can be stopped from the same process; otherwise the process is killed. */
  readonly canInterrupt: boolean;
  /** Bytes that every file of this engine has at `offset`. */
  readonly signature: { readonly text: string; readonly offset: number };
  readonly fileEndings: readonly string[];
  /** Files beside the main one that hold data not yet merged into it. */
  readonly logEnding: string;
}

export const ENGINE_TRAITS: Readonly<Record<EngineName, EngineTraits>> = {
  sqlite: {
    title: 'SQLite',
    readOnlyBy: 'file opened read-only, query_only, no extensions, no ATTACH',
    canInterrupt: false,
    signature: { text: 'SQLite format 3\0', offset: 0 },
    fileEndings: ['.db', '.sqlite', '.sqlite3', '.db3'],
    logEnding: '-wal',
  },
  duckdb: {
    title: 'DuckDB',
    readOnlyBy: 'access_mode READ_ONLY, external access off, configuration locked',
    canInterrupt: true,
    signature: { text: 'DUCK', offset: 8 },
    fileEndings: ['.duckdb', '.ddb'],
    logEnding: '.wal',
  },
};

/** A failure inside the executor; crosses the process border as plain data. */
export class EngineError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
  }
}
