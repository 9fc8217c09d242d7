/** Who reads what, as a sparse matrix of tables × users. Source: LinkedIn, section 4.1, the first four lines. */
import type { TableAccess } from '../usage/usage.ts';
import type { ClusterSettings } from './clusters.ts';

/** Rows in the order of `tables`; the cells of row `r` are those from `starts[r]` to before `starts[r + 1]`. */
export interface AccessMatrix {
  readonly tables: readonly string[];
  readonly users: readonly string[];
  readonly starts: Int32Array;
  /** Index of the user of each cell, ascending in a row. */
  readonly columns: Int32Array;
  /** Number of runs, or what became of it. */
  readonly values: Float64Array;
}

type Thresholds = Pick<ClusterSettings, 'minTotal' | 'minUsers' | 'minTablesPerUser'>;

/**
 * The tables with enough runs by enough users, then the users with enough of these tables. Tables and users stand in
 * the order of their ids, so that the order of the accesses does not matter; equal pairs add up.
 */
export function accessMatrix(accesses: readonly TableAccess[], thresholds: Thresholds): AccessMatrix {
  const byTable = new Map<string, Map<string, number>>();
  for (const { tableId, user, runs } of accesses) {
    if (!(runs > 0)) continue;
    const row = byTable.get(tableId) ?? new Map<string, number>();
    byTable.set(tableId, row.set(user, (row.get(user) ?? 0) + runs));
  }
  for (const [tableId, row] of byTable) {
    let total = 0;
    for (const runs of row.values()) total += runs;
    if (total < thresholds.minTotal || row.size < thresholds.minUsers) byTable.delete(tableId);
  }
  const tablesOf = new Map<string, number>();
  for (const row of byTable.values())
    for (const user of row.keys()) tablesOf.set(user, (tablesOf.get(user) ?? 0) + 1);
  const users = [...tablesOf.keys()]
    .filter((user) => (tablesOf.get(user) ?? 0) >= thresholds.minTablesPerUser)
    .sort();
  return pack(byTable, users);
}

/** The same cells with each value sent through `change`. */
export function mapCells(matrix: AccessMatrix, change: (value: number) => number): AccessMatrix {
  return { ...matrix, values: matrix.values.map(change) };
}

/** A table that only dropped users read has no cells left and goes with them. */
function pack(
  byTable: ReadonlyMap<string, ReadonlyMap<string, number>>,
  users: readonly string[],
): AccessMatrix {
  const indexOf = new Map(users.map((user, index) => [user, index]));
  const tables: string[] = [];
  const starts = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (const tableId of [...byTable.keys()].sort()) {
    const cells = [...(byTable.get(tableId) ?? [])]
      .flatMap(([user, runs]) => {
        const column = indexOf.get(user);
        return column === undefined ? [] : [[column, runs] as const];
      })
      .sort(([a], [b]) => a - b);
    if (cells.length === 0) continue;
    tables.push(tableId);
    for (const [column, runs] of cells) {
      columns.push(column);
      values.push(runs);
    }
    starts.push(columns.length);
  }
  return {
    tables,
    users,
    starts: Int32Array.from(starts),
    columns: Int32Array.from(columns),
    values: Float64Array.from(values),
  };
}
