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
 * Every access of a stream, read once; memory grows with the different pairs of table and user. Tables and users stand
 * in the order of their ids, so that the order of the accesses does not matter; equal pairs add up, and pairs without a
 * run are left out.
 */
export function accessMatrix(accesses: Iterable<TableAccess>): AccessMatrix {
  const tables = new Names();
  const users = new Names();
  const cells = new Cells();
  for (const { tableId, user, runs } of accesses)
    if (runs > 0) cells.add(tables.index(tableId), users.index(user), runs);
  const [tableOrder, userOrder] = [tables.order(), users.order()];
  const rows = bucket(cells.count, tableOrder.names.length, (cell) => tableOrder.placeOf[cells.rows[cell]!]!);
  const starts = new Int32Array(tableOrder.names.length + 1);
  const columns = new Int32Array(cells.count);
  const values = new Float64Array(cells.count);
  let count = 0;
  for (let row = 0; row < tableOrder.names.length; row += 1) {
    starts[row] = count;
    const own = rows.items.subarray(rows.starts[row], rows.starts[row + 1]);
    const columnOf = (cell: number): number => userOrder.placeOf[cells.columns[cell]!]!;
    own.sort((a, b) => columnOf(a) - columnOf(b));
    for (const [at, cell] of own.entries()) {
      const isSame = at > 0 && columns[count - 1] === columnOf(cell);
      if (!isSame) columns[count++] = columnOf(cell);
      values[count - 1]! += cells.values[cell]!;
    }
  }
  starts[tableOrder.names.length] = count;
  return {
    tables: tableOrder.names,
    users: userOrder.names,
    starts,
    columns: columns.slice(0, count),
    values: values.slice(0, count),
  };
}

/** The tables with enough runs by enough users, then the users with enough of these tables. */
export function aboveThresholds(matrix: AccessMatrix, thresholds: Thresholds): AccessMatrix {
  const { starts, columns, values } = matrix;
  const isKept = (row: number): boolean => {
    const [from, to] = [starts[row]!, starts[row + 1]!];
    let total = 0;
    for (let cell = from; cell < to; cell += 1) total += values[cell]!;
    return total >= thresholds.minTotal && to - from >= thresholds.minUsers;
  };
  const kept = Uint8Array.from(matrix.tables.keys(), (row) => (isKept(row) ? 1 : 0));
  const tablesOf = new Int32Array(matrix.users.length);
  for (const row of matrix.tables.keys())
    if (kept[row] === 1)
      for (let cell = starts[row]!; cell < starts[row + 1]!; cell += 1) tablesOf[columns[cell]!]! += 1;
  // Of a user that no kept table has, no threshold makes one.
  const least = Math.max(1, thresholds.minTablesPerUser);
  const placeOf = new Int32Array(matrix.users.length).fill(-1);
  const users: string[] = [];
  for (const [user, name] of matrix.users.entries())
    if (tablesOf[user]! >= least) placeOf[user] = users.push(name) - 1;
  return pack(matrix, users, (row, user) => (kept[row] === 1 ? placeOf[user]! : -1));
}

/** The same cells with each value sent through `change`. */
export function mapCells(matrix: AccessMatrix, change: (value: number) => number): AccessMatrix {
  return { ...matrix, values: matrix.values.map(change) };
}

/** A table that only dropped users read has no cells left and goes with them. */
function pack(
  matrix: AccessMatrix,
  users: readonly string[],
  columnOf: (row: number, user: number) => number,
): AccessMatrix {
  const columns = new Int32Array(matrix.columns.length);
  const values = new Float64Array(matrix.columns.length);
  const tables: string[] = [];
  const starts = [0];
  let count = 0;
  for (const [row, tableId] of matrix.tables.entries()) {
    const before = count;
    for (let cell = matrix.starts[row]!; cell < matrix.starts[row + 1]!; cell += 1) {
      const column = columnOf(row, matrix.columns[cell]!);
      if (column < 0) continue;
      columns[count] = column;
      values[count] = matrix.values[cell]!;
      count += 1;
    }
    if (count === before) continue;
    tables.push(tableId);
    starts.push(count);
  }
  return {
    ...{ tables, users },
    starts: Int32Array.from(starts),
    columns: columns.slice(0, count),
    values: values.slice(0, count),
  };
}

/** Items in buckets by number, each bucket in the order of the items. */
export function bucket(
  count: number,
  buckets: number,
  bucketOf: (item: number) => number,
): { readonly starts: Int32Array; readonly items: Int32Array } {
  const starts = new Int32Array(buckets + 1);
  for (let item = 0; item < count; item += 1) starts[bucketOf(item) + 1]! += 1;
  for (let at = 0; at < buckets; at += 1) starts[at + 1]! += starts[at]!;
  const next = starts.slice(0, buckets);
  const items = new Int32Array(count);
  for (let item = 0; item < count; item += 1) {
    const own = bucketOf(item);
    items[next[own]!] = item;
    next[own]! += 1;
  }
  return { starts, items };
}

/** Names as they come, and each one's place once they are in order. */
class Names {
  readonly #indexOf = new Map<string, number>();

  index(name: string): number {
    const known = this.#indexOf.get(name);
    if (known !== undefined) return known;
    this.#indexOf.set(name, this.#indexOf.size);
    return this.#indexOf.size - 1;
  }

  order(): { readonly names: readonly string[]; readonly placeOf: Int32Array } {
    const names = [...this.#indexOf.keys()].sort();
    const placeOf = new Int32Array(names.length);
    for (const [place, name] of names.entries()) placeOf[this.#indexOf.get(name) ?? 0] = place;
    return { names, placeOf };
  }
}

/** Numbers of cells in arrays that double when they are full. */
class Cells {
  count = 0;
  rows = new Int32Array(1_024);
  columns = new Int32Array(1_024);
  values = new Float64Array(1_024);

  add(row: number, column: number, value: number): void {
    if (this.count === this.rows.length) this.#grow();
    this.rows[this.count] = row;
    this.columns[this.count] = column;
    this.values[this.count] = value;
    this.count += 1;
  }

  #grow(): void {
    const [rows, columns, values] = [this.rows, this.columns, this.values];
    this.rows = new Int32Array(2 * this.count);
    this.columns = new Int32Array(2 * this.count);
    this.values = new Float64Array(2 * this.count);
    this.rows.set(rows);
    this.columns.set(columns);
    this.values.set(values);
  }
}
