/** A number for what a table or a user was read or reads: other accesses have another number. */
import type { AccessMatrix } from './access-matrix.ts';

const SECOND = 0x9e3779b1;

/** Of every table; whole numbers that a database keeps exactly. */
export function marksOfTables(matrix: AccessMatrix): Float64Array {
  return marks(
    matrix,
    matrix.tables.length,
    hashes(matrix.users),
    (row) => row,
    (_, column) => column,
  );
}

/** Of every user. */
export function marksOfUsers(matrix: AccessMatrix): Float64Array {
  return marks(
    matrix,
    matrix.users.length,
    hashes(matrix.tables),
    (_, column) => column,
    (row) => row,
  );
}

type Choose = (row: number, column: number) => number;

/** Sums, so that the order of what is summed does not matter: 52 bits of it. */
function marks(
  { tables, starts, columns, values }: AccessMatrix,
  count: number,
  hashOf: Int32Array,
  own: Choose,
  other: Choose,
): Float64Array {
  const high = new Uint32Array(count);
  const low = new Uint32Array(count);
  for (const row of tables.keys())
    for (let cell = starts[row]!; cell < starts[row + 1]!; cell += 1) {
      const column = columns[cell]!;
      const at = own(row, column);
      const hash = hashOf[other(row, column)]!;
      const runs = Math.imul(values[cell]! | 0, SECOND);
      high[at]! += mixed(hash ^ runs);
      low[at]! += mixed(Math.imul(hash, SECOND) + runs);
    }
  return Float64Array.from(high, (value, at) => value * 2 ** 20 + (low[at]! >>> 12));
}

function hashes(names: readonly string[]): Int32Array {
  return Int32Array.from(names, (name) => {
    let hash = 0x811c9dc5;
    for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
    return hash;
  });
}

/** Every bit of the number changes half of those of the result (MurmurHash3, the last step). */
function mixed(number: number): number {
  let bits = number | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
