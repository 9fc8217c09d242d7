/** How many rows of each table a run may read, so that the largest are sampled first. */

import type { Database } from '../../database/index.ts';
import type { Table, TypeFamily } from '../schema/catalog.ts';
import { countRows } from './profile-table.ts';

/** What one run may read; the rows of a table count once, however many statements read them. */
export interface ScanBudget {
  readonly maxRows?: number;
  /** By widths that are assumed of the types, since few engines tell the true ones. */
  readonly maxBytes?: number;
}

/** Bytes that a value of a family is taken to be. */
const WIDTHS: Readonly<Record<TypeFamily, number>> = { text: 32, number: 8, time: 8, boolean: 1, other: 64 };
/** Fewer rows than these say nothing of a table. */
const FEWEST_ROWS = 100;

interface ScannedSize {
  readonly table: Pick<Table, 'id' | 'columns'>;
  readonly rowCount: number;
}

/**
 * Rows that may be read of each table, by id; 0: the table is skipped. Small tables are read whole, the larger ones
 * share what is left alike: `planScan([10 rows, 5000 rows], { maxRows: 1000 })` → 10 and 990.
 */
export function planScan(sizes: readonly ScannedSize[], budget: ScanBudget): Map<string, number> {
  const plan = new Map(sizes.map(({ table, rowCount }) => [table.id, rowCount]));
  const limits = [
    { total: budget.maxRows, widthOf: () => 1 },
    { total: budget.maxBytes, widthOf: bytesPerRow },
  ];
  for (const { total, widthOf } of limits) {
    if (total === undefined) continue;
    const widths = new Map(sizes.map(({ table }) => [table.id, widthOf(table)]));
    for (const [id, rows] of share(sizes, total, widths)) plan.set(id, Math.min(plan.get(id) ?? 0, rows));
  }
  return plan;
}

function bytesPerRow({ columns }: Pick<Table, 'columns'>): number {
  return Math.max(
    1,
    columns.reduce((sum, { family }) => sum + WIDTHS[family], 0),
  );
}

function share(
  sizes: readonly ScannedSize[],
  total: number,
  widths: ReadonlyMap<string, number>,
): [id: string, rows: number][] {
  const costs = sizes
    .map(({ table, rowCount }) => {
      const width = widths.get(table.id) ?? 1;
      return { id: table.id, rowCount, width, cost: rowCount * width };
    })
    .sort((a, b) => a.cost - b.cost);
  // The largest go first when not even a small sample of each can be had.
  const least = costs.map(({ rowCount, width }) => Math.min(rowCount, FEWEST_ROWS) * width);
  let kept = costs.length;
  let leastSum = least.reduce((sum, cost) => sum + cost, 0);
  while (kept > 0 && leastSum > total) {
    kept -= 1;
    leastSum -= least[kept] ?? 0;
  }
  let left = total;
  return costs.map(({ id, width, cost }, index) => {
    if (index >= kept) return [id, 0];
    const part = Math.min(cost, left / (kept - index));
    left -= part;
    return [id, Math.floor(part / width)];
  });
}

/**
 * Rows that a run may read of each table that its budget cuts, by id; tables that are read whole are absent. Sizes
 * are the engine's estimates, counted where it has none; the counting is not part of the budget.
 */
export async function planTables(
  database: Database,
  tables: readonly Table[],
  budget: ScanBudget,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  if (budget.maxRows === undefined && budget.maxBytes === undefined) return new Map();
  const sizes: ScannedSize[] = [];
  for (const table of tables) {
    // A view has no size but by running it; an empty estimate may only be an old one.
    const rowCount =
      table.estimatedRows || (table.kind === 'view' ? 0 : await countRows(database, table, signal));
    sizes.push({ table, rowCount });
  }
  const plan = planScan(sizes, budget);
  const cut = sizes.filter(({ table, rowCount }) => (plan.get(table.id) ?? rowCount) < rowCount);
  return new Map(cut.map(({ table }) => [table.id, plan.get(table.id) ?? 0]));
}
