/** What Candor needs of a database engine. One folder per engine implements it; the conformance suite holds it. */

import type { Notice } from '../../results/index.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import type { OwnCode } from '../../sql/guard/index.ts';
import type { Home, OwnNames } from '../../sql/scope/index.ts';

export interface QueryLimits {
  /** Rows kept at most; the result says when it was cut. */
  readonly rows: number;
  /** Bytes of all kept cells at most. */
  readonly bytes: number;
  /** Also told to the engine where it can hold the limit itself. */
  readonly timeoutMs: number;
  /** Bytes that the engine may read from storage; one that cannot hold it refuses the query. */
  readonly scanBytes?: number;
  /** Characters of a text, or bytes of a blob, kept of one cell; the rest is cut off and counted in `cutCells`. */
  readonly cellSize?: number;
}

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly truncatedBy: 'rows' | 'bytes' | null;
  /** Cells of the kept rows that were cut at `cellSize`; absent when none was. */
  readonly cutCells?: number;
  /** What is to be said about the rows; absent when nothing is. */
  readonly notices?: readonly Notice[];
  readonly ms: number;
}

/** What the engine expects a statement to cost before it runs; what an engine does not say is absent. */
export interface Plan {
  /** Rows that come out. */
  readonly rows?: number;
  /** In the engine's own unit (PostgreSQL: sequential page reads; MySQL: its cost model). */
  readonly cost?: number;
  /** Bytes read from storage, as warehouses bill them. */
  readonly bytes?: number;
}

/** The schema as the engine declares it. Names are raw, as the engine spells them. */
export interface DatabaseSchema {
  readonly tables: readonly SchemaTable[];
  readonly foreignKeys: readonly SchemaForeignKey[];
  /** What a query may name beside tables and columns; PostgreSQL alone has such names. */
  readonly ownNames?: OwnNames;
  /** Where the tables stand that do not say it themselves. */
  readonly home?: Home;
  /** What of it could not be read, such as a catalog that is down. */
  readonly leftOut?: readonly SchemaLeftOut[];
}

export interface SchemaLeftOut {
  readonly name: string;
  readonly because: string;
}

export interface SchemaTable {
  readonly name: string;
  /** The schema it stands in, for engines that have schemas. */
  readonly schema?: string;
  /** The database or catalog around the schema, for engines that read several at once. */
  readonly catalog?: string;
  /** Names to write before its own, outermost first; absent where its name alone reaches it. */
  readonly qualifier?: readonly string[];
  readonly kind: 'table' | 'view';
  /**
   * Every row it shows is its own: to read it reads no other table, no file and no other server. Absent for a view, for any
   * other table that is made of others, and wherever the engine does not tell: no policy over other tables follows into it.
   */
  readonly ownsRows?: true;
  readonly comment?: string;
  readonly columns: readonly SchemaColumn[];
  /** Column names; empty when none is declared. */
  readonly primaryKey: readonly string[];
  /** Columns the engine partitions by: a filter on them saves reading. */
  readonly partitionKey?: readonly string[];
  /** From the engine's statistics, unlike a count it may be old. */
  readonly estimatedRows?: number;
  /** Changes when the rows may have changed; absent where the engine does not tell. */
  readonly dataStamp?: string;
}

export interface SchemaColumn {
  readonly name: string;
  /** The declared type, raw; empty when there is none (SQLite). */
  readonly type: string;
  readonly isNullable: boolean;
  readonly comment?: string;
}

/** Tables are named as in `tableKey`, so that equal names in two schemas stay apart. */
export interface SchemaForeignKey {
  readonly fromTable: string;
  readonly fromColumns: readonly string[];
  readonly toTable: string;
  readonly toColumns: readonly string[];
}

/** Who serves the data, and what holds writes back besides our own guard. */
export interface ServerDescription {
  /** Product and version, as `PostgreSQL 15.18`. */
  readonly product: string;
  /** The account the session runs as, where there is one. */
  readonly user?: string;
  /** How the engine itself keeps the session from writing. */
  readonly readOnlyBy: string;
  /** Rights of the account that a reader does not need; each weakens the engine's own guard. */
  readonly excessRights: readonly string[];
}

/** Whom an engine shall take a caller for; at least one of both. */
export interface EngineIdentity {
  /** As the engine spells people. */
  readonly user?: string;
  readonly role?: string;
}

export interface Database {
  readonly dialect: DialectName;
  /** Name for people and prompts: the file name without its ending, or the database's own name. */
  readonly name: string;
  /** The URL without secrets. */
  readonly url: string;
  /**
   * Text that changes when what was read of the database may no longer be true: for files their size and time of
   * change; for servers the state of the schema alone, since their rows change all day.
   */
  stamp(signal?: AbortSignal): Promise<string>;
  readSchema(signal?: AbortSignal): Promise<DatabaseSchema>;
  /**
   * What a statement can run of the owner's code under a name that people take for the engine's, as this account meets
   * it: functions, operators, types, casts, collations. One cheap statement; the guard asks again while it is used.
   */
  readOwnCode(signal?: AbortSignal): Promise<OwnCode>;
  /**
   * Runs one reading statement. The session is read-only in the engine's own way; the guard (`guard.ts`) has
   * checked the text before. Throws CandorError `database.*`; a timeout or a cancel really stops the engine.
   */
  query(sql: string, limits: QueryLimits, signal?: AbortSignal): Promise<QueryResult>;
  /** Has the engine plan the statement without running it; throws `database.query-failed` with the engine's words. */
  explain(sql: string, signal?: AbortSignal): Promise<Plan>;
  describe(signal?: AbortSignal): Promise<ServerDescription>;
  /**
   * The same connection, where the engine takes the caller for somebody else and gives them that person's rights; absent
   * where an engine knows no such thing. Throws `config.invalid` for an identity that it cannot take. Closing one of
   * both closes the connection.
   */
  as?(identity: EngineIdentity): Database;
  /** Keys (`tableKey`) of the tables that this caller may see, without reading more; present wherever `as` is. */
  listTables?(signal?: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}
