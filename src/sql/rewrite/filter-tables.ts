/** Row filters: each table shows only the rows its condition allows, wherever it is read. */
import type { NamedSchema } from '../scope/schema-index.ts';
import type { SqlTree } from '../tree/node.ts';
import { readCondition } from './read-condition.ts';
import { replaceTables } from './replace-tables.ts';
import { type RewriteResult, refuseRewrite } from './rewrite-result.ts';
import { findTablePlaces } from './table-places.ts';

/** For each table, by canonical id, a condition over its own columns, unqualified: `region = 'north'`. */
export type TableFilters = ReadonlyMap<string, string>;

/**
 * Filters tables in every place they stand, subqueries, CTEs and outer joins included, by putting
 * `(SELECT * FROM t WHERE …) AS t` there. A condition that is no expression of its own, or names what its table does
 * not have, is a mistake of the caller and is refused.
 */
export function filterTables(tree: SqlTree, filters: TableFilters, schema: NamedSchema): RewriteResult {
  const found = findTablePlaces(tree, new Set(filters.keys()), schema);
  if (!found.ok) return found;
  const queries = new Map<string, string>();
  for (const { tableId, nameSpan, node } of found.places) {
    const condition = filters.get(tableId) ?? '';
    // As the query itself writes the table, so that quotes and schema stay.
    const name = tree.text.slice(nameSpan.start, nameSpan.end);
    const read = readCondition(condition, name, { dialect: tree.dialect, schema });
    if (!read.ok) return refuseRewrite(`the filter of ${tableId} ${read.problem}`, node);
    queries.set(tableId, `SELECT * FROM ${name} WHERE (${condition}\n)`);
  }
  return replaceTables(tree, queries, schema);
}
