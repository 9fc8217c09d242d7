import { tableIds, tableOfColumn } from '../../catalog/index.ts';
import { findValues } from '../../knowledge/index.ts';
import type { Session } from '../../session.ts';
import type { FoundValues } from '../contract/search-contract.ts';

const MATCHES = ['exact', 'folded', 'stem', 'similar'] as const;

/** Stored values of all visible tables that are written like the text: equal ones first, then the most alike. */
export async function searchValues(
  { text, limit, signal }: { readonly text: string; readonly limit: number; readonly signal: AbortSignal },
  { values: index, catalog }: Pick<Session, 'values' | 'catalog'>,
): Promise<FoundValues> {
  const { values, truncations, warnings } = await findValues([text], index, { signal });
  const tables = tableIds(catalog);
  const all = values
    .flatMap(({ item: { columnId: column, values: found } }) => {
      const table = tableOfColumn(column, tables);
      if (table === undefined) return [];
      return found.map(({ value, match, ratio }) => ({ value, column, table, match, similarity: ratio }));
    })
    .sort(
      (a, b) =>
        MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match) ||
        b.similarity - a.similarity ||
        (`${a.column} ${a.value}` < `${b.column} ${b.value}` ? -1 : 1),
    );
  const cut = truncations.map(({ what, shown, total }) => `${what}: ${shown} of ${total} looked at`);
  return { values: all.slice(0, limit), total: all.length, cut: [...new Set([...cut, ...warnings])] };
}
