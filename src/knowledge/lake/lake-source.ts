/** Where the tables of a lake come from: an engine's catalog, or something that plays one. */
import type { ForeignKey, Table } from '../../catalog/index.ts';

/** A table as a list of them shows it. */
export interface TableMark {
  /** Canonical. */
  readonly id: string;
  /** Changes with what is declared of the table, cheap to tell; never empty. */
  readonly stamp: string;
}

export interface LakeSource {
  /**
   * Every table once, some at a time, in the order of the ids' code points: two lists are compared without keeping
   * either.
   */
  list(signal?: AbortSignal): AsyncIterable<readonly TableMark[]>;
  /** The tables of these ids, in any order; what was dropped since it was listed is not among them. */
  read(ids: readonly string[], signal?: AbortSignal): AsyncIterable<StampedTable>;
}

export interface StampedTable {
  readonly table: Table;
  /** Read with the table: it may have changed since it was listed. */
  readonly stamp: string;
  /** Declared ones that lead from it. */
  readonly foreignKeys?: readonly ForeignKey[];
}
