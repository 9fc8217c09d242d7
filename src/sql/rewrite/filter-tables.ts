/** Row filters: each table shows only the rows its condition allows, wherever it is read. */

import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import { findNames } from '../scope/find-names.ts';
import type { NamedSchema } from '../scope/state/schema-index.ts';
import type { SqlTree } from '../tree/node.ts';
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

/** A condition inside a query over its table; `offset` is where the condition begins in that query. */
export type ConditionRead =
  | { readonly ok: true; readonly tree: SqlTree; readonly offset: number }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a condition over the columns of one table (`table` as it is written in SQL). It must be one expression that
 * fills the brackets around it, so that no text can close them, and name only what exists.
 */
export function readCondition(
  condition: string,
  table: string,
  { dialect, schema }: { readonly dialect: DialectName; readonly schema: NamedSchema },
): ConditionRead {
  const lead = `SELECT 1 FROM ${table} WHERE (`;
  const parsed = parse(`${lead}${condition}\n)`, dialect);
  if (!parsed.ok) return { ok: false, problem: `does not parse: ${parsed.error.message}` };
  const { root } = parsed.tree;
  const inner = root.children.find(({ role }) => role === 'where')?.children[0];
  const isWhole = root.type === 'Select' && inner?.type === 'Paren' && inner.end === root.end;
  if (!isWhole || root.children.length !== 3) return { ok: false, problem: 'is no condition of its own' };
  const [problem] = findNames(parsed.tree, schema).problems;
  if (problem !== undefined)
    return { ok: false, problem: `names ${problem.name}, which has no meaning there` };
  return { ok: true, tree: parsed.tree, offset: lead.length };
}
