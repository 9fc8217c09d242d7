/** The name that tells a table from all others of its database: `orders`, `sales.orders`. */
import type { SchemaTable } from './database.ts';

/** Raw names joined by dots: what must be written before the table, then its own name. */
export function tableKey(table: Pick<SchemaTable, 'name' | 'qualifier'>): string {
  return [...(table.qualifier ?? []), table.name].join('.');
}
