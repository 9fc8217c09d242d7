/** A table replaced by a subquery in every place it stands: row filters, masks. */
import { DIALECTS } from '../dialects.ts';
import { parse } from '../parser/parse.ts';
import { requoteName } from '../requote-name.ts';
import type { NamedSchema } from '../scope/schema-index.ts';
import type { Scopes } from '../scope/scope.ts';
import { REWRITTEN_LIMITS, type StatementLimits } from '../statement-limits.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';
import { findLostNames, keepNames } from './keep-names.ts';
import type { Patch } from './patch-text.ts';
import {
  addCounts,
  countTables,
  finishRewrite,
  type RewriteResult,
  refuseRewrite,
  type TableCounts,
} from './rewrite-result.ts';
import { findTablePlaces, type TablePlace } from './table-places.ts';

/** For each table, by canonical id, the query that takes its place; it should show columns of the same names. */
export type TableQueries = ReadonlyMap<string, string>;

/**
 * Puts a subquery in the place of each table: with `SELECT * FROM t WHERE region = 1` for t, `SELECT a FROM t` becomes
 * `SELECT a FROM (SELECT * FROM t WHERE region = 1) AS t`. Columns keep their qualifiers; what a schema stood before
 * loses it. What stands inside the given queries is not replaced again.
 */
export function replaceTables(tree: SqlTree, queries: TableQueries, schema: NamedSchema): RewriteResult {
  const queryAt = ({ tableId }: TablePlace): PlaceQuery => ({ ok: true, query: queries.get(tableId) ?? '' });
  return replacePlaces(tree, schema, { tableIds: new Set(queries.keys()), queryAt });
}

/** The query for one place, or why there is none. */
export type PlaceQuery =
  | { readonly ok: true; readonly query: string }
  | { readonly ok: false; readonly reason: string };

interface Replacement {
  readonly tableIds: ReadonlySet<string>;
  readonly queryAt: (place: TablePlace) => PlaceQuery;
  readonly limits?: StatementLimits | undefined;
}

/** Puts a query of its own into each place of the tables. */
export function replacePlaces(
  tree: SqlTree,
  schema: NamedSchema,
  { tableIds, queryAt, limits }: Replacement,
): RewriteResult {
  const found = findTablePlaces(tree, tableIds, schema);
  if (!found.ok) return found;
  const hidden = tree.nodes.find((node) => {
    const reference = found.resolved.references[node.id];
    return reference?.kind === 'hidden' && tableIds.has(reference.source.table?.id ?? '');
  });
  // SQLite would take `"rowid"` of a subquery for a text.
  if (hidden !== undefined) return refuseRewrite('a column that no star shows is gone in a subquery', hidden);
  const patches: Patch[] = dropSchemas(tree, found.places, found.resolved);
  const expected = new Map(countTables(tree, schema));
  const counts = new Map<string, TableCounts>();
  for (const place of found.places) {
    const answer = queryAt(place);
    if (!answer.ok) return refuseRewrite(answer.reason, place.node);
    // The places of a table are written alike as a rule, so that one query stands in all of them.
    const known = counts.get(answer.query);
    const parsed = known === undefined ? parse(answer.query, tree.dialect, REWRITTEN_LIMITS) : undefined;
    if (parsed?.ok === false) {
      return refuseRewrite(
        `the query for ${place.tableId} does not parse: ${parsed.error.message}`,
        place.node,
      );
    }
    const inner = known ?? (parsed === undefined ? NO_COUNTS : countTables(parsed.tree, schema));
    counts.set(answer.query, inner);
    patches.push(
      replaceTable(tree, place, answer.query),
      ...place.dropped.map((span) => ({ span, text: '' })),
      ...spellOutTable(place.node.parent),
    );
    addCounts(expected, inner);
    addCounts(expected, new Map([[place.tableId, 1]]), -1);
  }
  const lost = findLostNames(tree, patches);
  if (lost !== undefined) return refuseRewrite('the engine names columns of VALUES by their text', lost);
  return finishRewrite(
    tree,
    { patches: [...patches, ...keepNames(tree, patches)], expected, limits },
    schema,
  );
}

const NO_COUNTS: TableCounts = new Map();

function replaceTable({ text, dialect }: SqlTree, place: TablePlace, query: string): Patch {
  const isNamed = place.hasAlias || place.isTurned || place.kind === 'in';
  const alias = isNamed ? '' : ` AS ${aliasText(text, place, dialect)}`;
  // The line break ends a comment that the query may end with.
  return { span: place.span, text: `(${query}\n)${alias}` };
}

/** The statement `TABLE t` takes no subquery. */
function spellOutTable(from: SqlNode | undefined): readonly Patch[] {
  if (from?.flags.kind !== 'TABLE') return [];
  return [{ span: { start: from.start, end: from.start + 'TABLE'.length }, text: 'SELECT * FROM' }];
}

/** The table's own name becomes its alias, in the quotes it was written in. */
function aliasText(text: string, { node, called }: TablePlace, dialect: SqlTree['dialect']): string {
  const name = node.children.filter(({ type }) => type === 'Identifier').at(-1);
  const written = name === undefined ? called : text.slice(name.start, name.end);
  return written === called ? requoteName(called, DIALECTS[dialect]) : written;
}

/** `main.t.a` → `t.a`: the alias has no schema. */
function dropSchemas({ nodes }: SqlTree, places: readonly TablePlace[], { references }: Scopes): Patch[] {
  const replaced = new Set(places.flatMap(({ hasAlias, node }) => (hasAlias ? [] : [node])));
  return nodes.flatMap((node) => {
    const table = node.type === 'Column' ? node.children.find(({ role }) => role === 'table') : undefined;
    const isQualified = table !== undefined && table.start > node.start;
    const reference = references[node.id];
    if (!isQualified || reference?.kind !== 'column' || !replaced.has(reference.source.node)) return [];
    return [{ span: { start: node.start, end: table.start }, text: '' }];
  });
}
