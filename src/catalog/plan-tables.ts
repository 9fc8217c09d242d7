import type { Database } from '../database/index.ts';
import type { Table } from './catalog.ts';
import { planScan, type ScanBudget, type ScannedSize } from './plan-scan.ts';
import { countRows } from './profile-table.ts';

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
