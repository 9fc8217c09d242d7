/** What Candor needs of a database engine. One file per engine implements it; the conformance suite holds it. */
import type { Cell } from '../sql/cell.ts';
import type { DialectName } from '../sql/dialect.ts';

export interface QueryLimits {
  /** Rows kept at most; the result says when it was cut. */
  readonly rows: number;
  /** Bytes of all kept cells at most. */
  readonly bytes: number;
  readonly timeoutMs: number;
}

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly truncatedBy: 'rows' | 'bytes' | null;
  readonly ms: number;
}

/** The schema as the engine declares it. Names are raw, as the engine spells them. */
export interface DatabaseSchema {
  readonly tables: readonly SchemaTable[];
  readonly foreignKeys: readonly SchemaForeignKey[];
}

export interface SchemaTable {
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly comment?: string;
  readonly columns: readonly SchemaColumn[];
  /** Column names; empty when none is declared. */
  readonly primaryKey: readonly string[];
}

export interface SchemaColumn {
  readonly name: string;
  /** The declared type, raw; empty when there is none (SQLite). */
  readonly type: string;
  readonly isNullable: boolean;
  readonly comment?: string;
}

export interface SchemaForeignKey {
  readonly fromTable: string;
  readonly fromColumns: readonly string[];
  readonly toTable: string;
  readonly toColumns: readonly string[];
}

export interface Database {
  readonly dialect: DialectName;
  /** Name for people and prompts: the file name without its ending. */
  readonly name: string;
  /** The URL without secrets. */
  readonly url: string;
  /** Text that changes when schema or data may have changed (for files: size and time of change). */
  stamp(): Promise<string>;
  readSchema(signal?: AbortSignal): Promise<DatabaseSchema>;
  /**
   * Runs one reading statement. The session is read-only in the engine's own way; the guard (`guard.ts`) has
   * checked the text before. Throws CandorError `database.*`; a timeout or a cancel really stops the engine.
   */
  query(sql: string, limits: QueryLimits, signal?: AbortSignal): Promise<QueryResult>;
  /** Has the engine plan the statement without running it; throws `database.query-failed` with the engine's words. */
  explain(sql: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
