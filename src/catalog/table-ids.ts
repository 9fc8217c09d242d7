import type { Catalog } from './catalog.ts';

const KNOWN = new WeakMap<Catalog, ReadonlySet<string>>();

/** The ids of all tables; made once for a catalog, which does not change. */
export function tableIds(catalog: Catalog): ReadonlySet<string> {
  const known = KNOWN.get(catalog);
  if (known !== undefined) return known;
  const ids = new Set(catalog.tables.map(({ id }) => id));
  KNOWN.set(catalog, ids);
  return ids;
}
