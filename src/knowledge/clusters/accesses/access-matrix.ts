/** Who reads what, as a sparse matrix of tables × users. Source: LinkedIn, section 4.1, the first four lines. */
import { fnv1a, mixBits } from '../../../lib/index.ts';
import { bucket, type TableAccess, TableAccesses } from '../../usage/table-accesses.ts';

/** Soft clusters of tables from who reads what. Source: LinkedIn, section 4, algorithms 1 to 4. */
export interface TableCluster {
  readonly id: number;
  /** Best first; at least `N` of them where there are so many. */
  readonly tables: readonly { readonly tableId: string; readonly score: number }[];
}

export interface UserClusters {
  readonly user: string;
  /** Most used first; weight = runs on tables of the cluster. */
  readonly clusters: readonly { readonly id: number; readonly weight: number }[];
}

export interface ClusterSettings {
  readonly minTotal: number;
  readonly minUsers: number;
  readonly minTablesPerUser: number;
  /** Tables of a cluster at least (N). */
  readonly size: number;
  /** Components (C); absent: from the number of tables. */
  readonly components?: number;
  readonly seed: number;
}

export interface Clustering {
  readonly settings: ClusterSettings;
  readonly clusters: readonly TableCluster[];
  readonly users: readonly UserClusters[];
  /** Day of the newest access it was made of. */
  readonly at: string;
  /** Why there are no clusters: too few tables or users. */
  readonly skipped?: string;
  /** What the scores of a table come of; absent where there are no clusters. */
  readonly model?: ClusterModel;
  /** No start settled within the iterations; the best one was taken. */
  readonly isUnsettled?: true;
}

/** Scores of a table: Σ log1p(runs of a user) · weights of the user, less the centre. */
export interface ClusterModel {
  readonly components: number;
  readonly users: readonly string[];
  /** Row-major, users × components. */
  readonly weights: Float32Array;
  readonly centre: Float32Array;
}

/** The tables a session starts from, and why. */
export interface Scope {
  /** Canonical ids; absent: every table that is not deprecated. */
  readonly tables?: ReadonlySet<string>;
  readonly because: string;
}

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

/** The same accesses by table. */
export function accessMatrix(accesses: Iterable<TableAccess>): AccessMatrix {
  const { users, tables, starts: firsts, rows, runs } = TableAccesses.of(accesses);
  const { starts, items } = bucket(rows.length, tables.length, (pair) => rows[pair]!);
  const userOf = new Int32Array(rows.length);
  for (let user = 0; user < users.length; user += 1) userOf.fill(user, firsts[user], firsts[user + 1]);
  const columns = items.map((pair) => userOf[pair]!);
  const values = new Float64Array(rows.length);
  for (const [cell, pair] of items.entries()) values[cell] = runs[pair]!;
  return { tables, users, starts, columns, values };
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

/** The cells of every user, those of user `u` from `starts[u]` to before `starts[u + 1]`: rows ascend, values are as they are. */
export function byUser({ users, starts, columns, values }: AccessMatrix): {
  readonly starts: Int32Array;
  readonly rows: Int32Array;
  readonly values: Float64Array;
} {
  const cells = bucket(columns.length, users.length, (cell) => columns[cell]!);
  const rowOf = new Int32Array(columns.length);
  for (let row = 0; row + 1 < starts.length; row += 1) rowOf.fill(row, starts[row], starts[row + 1]);
  const found = { starts: cells.starts, rows: cells.items, values: new Float64Array(columns.length) };
  for (let at = 0; at < columns.length; at += 1) {
    const cell = cells.items[at]!;
    found.rows[at] = rowOf[cell]!;
    found.values[at] = values[cell]!;
  }
  return found;
}

// A number for what a table or a user was read or reads: other accesses have another number.

const SECOND = 0x9e3779b1;

/** Of every table; whole numbers that a database keeps exactly. */
export function marksOfTables(matrix: AccessMatrix): Float64Array {
  return marks(
    matrix,
    matrix.tables.length,
    matrix.users,
    (row) => row,
    (_, column) => column,
  );
}

/** Of every user. */
export function marksOfUsers(matrix: AccessMatrix): Float64Array {
  return marks(
    matrix,
    matrix.users.length,
    matrix.tables,
    (_, column) => column,
    (row) => row,
  );
}

type Choose = (row: number, column: number) => number;

/**
 * Sums of hash × runs, 32 bits of one and 20 of another: neither the order of the cells matters, nor whether two of them are one.
 * Hashes are odd, so that no change of a single cell is missed.
 */
function marks(
  { tables, starts, columns, values }: AccessMatrix,
  count: number,
  names: readonly string[],
  own: Choose,
  other: Choose,
): Float64Array {
  const hashes = names.map(fnv1a);
  const [one, two] = [oddHashes(hashes, 0), oddHashes(hashes, SECOND)];
  const high = new Uint32Array(count);
  const low = new Uint32Array(count);
  for (const row of tables.keys())
    for (let cell = starts[row]!; cell < starts[row + 1]!; cell += 1) {
      const column = columns[cell]!;
      const at = own(row, column);
      const name = other(row, column);
      const runs = values[cell]!;
      high[at]! += Math.imul(one[name]!, runs);
      low[at]! += Math.imul(two[name]!, runs);
    }
  return Float64Array.from(high, (value, at) => value * 2 ** 20 + (low[at]! >>> 12));
}

function oddHashes(hashes: readonly number[], seed: number): Int32Array {
  return Int32Array.from(hashes, (hash) => mixBits(hash ^ seed) | 1);
}
