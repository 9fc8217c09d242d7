/** A number for what a table or a user was read or reads: other accesses have another number. */
import type { AccessMatrix } from './access-matrix.ts';

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
  const hashes = names.map(hashOf);
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
  return Int32Array.from(hashes, (hash) => mixed(hash ^ seed) | 1);
}

/** FNV-1a. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash;
}

/** Every bit of the number changes half of those of the result (MurmurHash3, the last step). */
function mixed(number: number): number {
  let bits = number | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
