/** Whether two results are the same where numbers may differ by a share that a person allowed. */
import type { ComparedResult, Verdict } from '../../results/index.ts';
import type { Cell } from '../../sql/cell.ts';

export interface WithinOptions {
  readonly orderMatters: boolean;
  /** Numbers may differ by this share of the larger one, whole ones too. */
  readonly tolerance: number;
}

/** Orders of columns that are tried, and pairs of rows that are looked at, before it is `undecided`. */
const MOST_ORDERS = 5_000;
const MOST_PAIRS = 20_000_000;

type Row = readonly Cell[];

/**
 * Looks for an order of the columns under which every expected row has a row of its own that is close. Unlike codes for
 * close numbers this does not let a row of close numbers run together: 100, 100.5 and 101 within 0.5 % stay three.
 */
export function matchWithin(
  expected: ComparedResult,
  actual: ComparedResult,
  options: WithinOptions,
): Verdict {
  if (expected.rows.length !== actual.rows.length) return 'different';
  if (expected.rows.length === 0) return 'equal';
  const width = expected.rows[0]?.length ?? 0;
  if (actual.rows.some((row) => row.length !== width)) return 'different';
  const candidates = Array.from({ length: width }, (_, left) =>
    Array.from({ length: width }, (_, right) => right).filter((right) =>
      areColumnsClose(columnOf(expected, left), columnOf(actual, right), options),
    ),
  );
  const perOrder = options.orderMatters ? expected.rows.length : expected.rows.length ** 2;
  const mostOrders = Math.min(MOST_ORDERS, Math.floor(MOST_PAIRS / perOrder));
  let tried = 0;
  for (const order of ordersOf(candidates)) {
    if (tried++ >= mostOrders) return 'undecided';
    const rows = actual.rows.map((row) => order.map((at) => row[at] ?? null));
    if (
      options.orderMatters
        ? areListsClose(expected.rows, rows, options)
        : canPair(expected.rows, rows, options)
    )
      return 'equal';
  }
  return 'different';
}

function columnOf({ rows }: ComparedResult, at: number): readonly Cell[] {
  return rows.map((row) => row[at] ?? null);
}

/** What every order must hold for one column: sorted lists of numbers pair off in order if they pair off at all. */
function areColumnsClose(left: readonly Cell[], right: readonly Cell[], options: WithinOptions): boolean {
  const one = options.orderMatters ? left : sorted(left);
  const other = options.orderMatters ? right : sorted(right);
  return one.every((cell, at) => isClose(cell, other[at] ?? null, options.tolerance));
}

function sorted(cells: readonly Cell[]): Cell[] {
  const rank = (cell: Cell): string => (numberOf(cell) === undefined ? `text ${textOf(cell)}` : 'number');
  return cells.toSorted((a, b) => {
    const [one, other] = [numberOf(a), numberOf(b)];
    if (one !== undefined && other !== undefined) return one - other;
    return rank(a) < rank(b) ? -1 : Number(rank(a) > rank(b));
  });
}

/** Every choice of one right column for each left one, none twice. */
function* ordersOf(
  candidates: readonly (readonly number[])[],
  taken: readonly number[] = [],
): Generator<readonly number[]> {
  const next = candidates[taken.length];
  if (next === undefined) {
    yield taken;
    return;
  }
  for (const at of next) if (!taken.includes(at)) yield* ordersOf(candidates, [...taken, at]);
}

function areListsClose(left: readonly Row[], right: readonly Row[], { tolerance }: WithinOptions): boolean {
  return left.every((row, at) => areRowsClose(row, right[at] ?? [], tolerance));
}

function areRowsClose(left: Row, right: Row, tolerance: number): boolean {
  return left.every((cell, at) => isClose(cell, right[at] ?? null, tolerance));
}

/** A perfect matching of rows by augmenting paths (Kuhn). */
function canPair(left: readonly Row[], right: readonly Row[], { tolerance }: WithinOptions): boolean {
  const partners = left.map((row) =>
    right.flatMap((other, at) => (areRowsClose(row, other, tolerance) ? [at] : [])),
  );
  const holder = new Map<number, number>();
  const place = (row: number, seen: Set<number>): boolean =>
    (partners[row] ?? []).some((at) => {
      if (seen.has(at)) return false;
      seen.add(at);
      const held = holder.get(at);
      if (held !== undefined && !place(held, seen)) return false;
      holder.set(at, row);
      return true;
    });
  return left.every((_, row) => place(row, new Set()));
}

function isClose(left: Cell, right: Cell, tolerance: number): boolean {
  const [one, other] = [numberOf(left), numberOf(right)];
  if (one === undefined || other === undefined) return textOf(left) === textOf(right);
  return Math.abs(one - other) <= tolerance * Math.max(Math.abs(one), Math.abs(other));
}

/** As a reader sees it: a number and its text are one. */
function numberOf(cell: Cell): number | undefined {
  if (typeof cell === 'number' || typeof cell === 'bigint' || typeof cell === 'boolean') return Number(cell);
  const isNumber = typeof cell === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(cell);
  return isNumber ? Number(cell) : undefined;
}

function textOf(cell: Cell): string {
  if (cell === null) return 'null';
  return cell instanceof Uint8Array ? `bytes ${Buffer.from(cell).toString('hex')}` : `text ${cell}`;
}
