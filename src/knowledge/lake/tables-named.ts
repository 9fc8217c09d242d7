import type { Table } from '../../catalog/index.ts';
import type { StateFile } from '../../store/index.ts';
import { tablesOf } from './tables-of.ts';

/** Tables of this name: `orders`, `sales.orders`, `warehouse.sales.orders`, in any case; in the order of their ids. */
export function tablesNamed(file: StateFile, name: string, limit: number): readonly Table[] {
  const lower = name.toLowerCase();
  const own = lower.slice(lower.lastIndexOf('.') + 1);
  const keys = new Set<number>();
  const byId = file.statement('SELECT key FROM marks WHERE id = ?').get(lower);
  if (byId !== undefined) keys.add(Number(byId.key));
  if (own === lower) {
    for (const { key } of file
      .statement('SELECT key FROM tables WHERE name = ? ORDER BY id LIMIT ?')
      .iterate(own, limit))
      keys.add(Number(key));
    return tablesOf(file, keys).slice(0, limit);
  }
  // What stands before it may be left out of the id, where the database looks there by itself.
  const found = file.statement(
    `SELECT key FROM tables WHERE name = ?1 AND (id = ?1 OR substr(id, -length(?2) - 1) = '.' || ?2) ORDER BY id LIMIT ?3`,
  );
  for (const { key } of found.iterate(own, lower, limit)) keys.add(Number(key));
  return tablesOf(file, keys)
    .filter((table) => spellingsOf(table).includes(lower))
    .slice(0, limit);
}

function spellingsOf({ id, name, schema, catalog }: Table): readonly string[] {
  const parts = [catalog, schema, name].filter((part) => part !== undefined);
  return [id, ...parts.map((_, at) => parts.slice(at).join('.').toLowerCase())];
}
