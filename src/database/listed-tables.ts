/** What listing the tables of an engine gives: types alone. */
import type { Cell } from '../sql/cell.ts';
import type { DatabaseSchema } from './database.ts';

export interface ListedTable {
  /** Canonical: the table's key in lower case. */
  readonly id: string;
  /** Changes with what is declared of the table. */
  readonly stamp: string;
}

export interface TableLister {
  /** Schema by schema, all in the order of the ids' code points; of ids that are equal the first. */
  list(signal?: AbortSignal): AsyncIterable<readonly ListedTable[]>;
  /** What is declared of these tables, with their stamps by id. */
  read(ids: readonly string[], signal?: AbortSignal): Promise<ReadTables>;
}

export interface ReadTables {
  readonly schema: DatabaseSchema;
  readonly stamps: ReadonlyMap<string, string>;
}

/** Runs one text of ours over the engine's catalogs, to the end. */
export type ReadRows = (sql: string, signal?: AbortSignal) => Promise<readonly (readonly Cell[])[]>;
