import type { Cell } from '../../../sql/index.ts';

const TOLERANCE = 1e-9;

/** The same bag of rows, numbers equal within a billionth: two ways to work out one answer, not two answers. */
export function isSameRows(left: readonly (readonly Cell[])[], right: readonly (readonly Cell[])[]): boolean {
  if (left.length !== right.length) return false;
  const open = [...right];
  return left.every((row) => {
    const at = open.findIndex(
      (other) => row.length === other.length && row.every((cell, place) => isSame(cell, other[place])),
    );
    if (at < 0) return false;
    open.splice(at, 1);
    return true;
  });
}

function isSame(left: Cell, right: Cell | undefined): boolean {
  const [a, b] = [Number(left), Number(right)];
  if (left !== null && right !== null && right !== undefined && Number.isFinite(a) && Number.isFinite(b))
    return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b));
  return left === right;
}
