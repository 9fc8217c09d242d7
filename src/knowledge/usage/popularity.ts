/** Popularity of tables as it was when logs were last read: a session over a lake has no time to count a company's runs. */
import type { StateFile } from '../../store/index.ts';
import { readTableUsage, type UsageOptions } from './read-usage.ts';

/** Counts it over the window, as `readUsage` does, and keeps it in place of what was kept. */
export function keepPopularity(file: StateFile, options: Pick<UsageOptions, 'asOf' | 'days'>): void {
  const tables = readTableUsage(file, options);
  file.transaction(() => {
    file.exec('DELETE FROM popularity');
    const add = file.prepare('INSERT INTO popularity VALUES (?, ?)');
    for (const { tableId, popularity } of tables) add.run(tableId, popularity);
  });
}

/** By the ids of tables; empty where it was never kept. */
export function readPopularity(file: StateFile): ReadonlyMap<string, number> {
  const rows = file.prepare('SELECT table_id, popularity FROM popularity').iterate();
  const found = new Map<string, number>();
  for (const { table_id, popularity } of rows) found.set(String(table_id), Number(popularity));
  return found;
}
