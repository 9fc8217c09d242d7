/** Whether two engines gave the same rows, in whatever order, with numbers told apart by value only. */
import type { Row } from './sqlite-database.ts';

/** Rows as a bag: the order is the query's only where it has one, and then up to rows that sort alike. */
export function sameRows(left: readonly Row[], right: readonly Row[]): boolean {
  if (left.length !== right.length) return false;
  const sorted = (rows: readonly Row[]): readonly string[] => rows.map(keyOf).sort();
  const others = sorted(right);
  return sorted(left).every((key, index) => key === others[index]);
}

/** Rows in their order, cell by cell the same. */
export function identicalRows(left: readonly Row[], right: readonly Row[]): boolean {
  return left.length === right.length && left.every((row, index) => keyOf(row) === keyOf(right[index] ?? []));
}

function keyOf(row: Row): string {
  return row.map(cellKey).join('\u0001');
}

/** Nine digits of a number are compared: engines add up in different orders. */
function cellKey(cell: unknown): string {
  if (cell === null || cell === undefined) return 'NULL';
  if (typeof cell === 'boolean') return cell ? '1' : '0';
  if (typeof cell === 'number' || typeof cell === 'bigint') return numberKey(Number(cell));
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString('hex');
  const text = String(cell);
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? numberKey(Number(text)) : text;
}

function numberKey(value: number): string {
  return value === 0 ? '0' : Number(value.toPrecision(9)).toString();
}
