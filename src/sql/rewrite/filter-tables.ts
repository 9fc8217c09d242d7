/** Row filters: each table shows only the rows its condition allows, wherever it is read. */
import type { NamedSchema } from '../scope/schema-index.ts';
import type { SqlTree } from '../tree/node.ts';
import { readCondition } from './read-condition.ts';
import { type PlaceQuery, replacePlaces } from './replace-tables.ts';
import type { RewriteResult } from './rewrite-result.ts';
import type { TablePlace } from './table-places.ts';

/** For each table, by canonical id, a condition over its own columns, unqualified: `region = 'north'`. */
export type TableFilters = ReadonlyMap<string, string>;

/**
 * Filters tables in every place they stand, subqueries, CTEs and outer joins included, by putting
 * `(SELECT * FROM t WHERE …) AS t` there. A condition that is no expression of its own, or names what its table does
 * not have, is a mistake of the caller and is refused.
 */
export function filterTables(tree: SqlTree, filters: TableFilters, schema: NamedSchema): RewriteResult {
  const known = new Map<string, PlaceQuery>();
  const queryAt = (place: TablePlace): PlaceQuery => {
    // As the place itself writes the table, so that quotes and schema stay.
    const name = tree.text.slice(place.nameSpan.start, place.nameSpan.end);
    const key = `${place.tableId}\n${place.written}`;
    const query = known.get(key) ?? filteredQuery(name, place);
    known.set(key, query);
    return query;
  };
  const filteredQuery = (name: string, { tableId, written }: TablePlace): PlaceQuery => {
    const condition = filters.get(tableId) ?? '';
    const read = readCondition(condition, name, { dialect: tree.dialect, schema });
    if (!read.ok) return { ok: false, reason: `the filter of ${tableId} ${read.problem}` };
    return { ok: true, query: `SELECT * FROM ${written} WHERE (${condition}\n)` };
  };
  return replacePlaces(tree, schema, { tableIds: new Set(filters.keys()), queryAt });
}
