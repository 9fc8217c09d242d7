/** A table replaced by a subquery in every place it stands: row filters, masks. */

import type { DialectName } from '../dialects/dialect.ts';
import { requoteName, writeName } from '../dialects/quoting.ts';
import { parse } from '../parser/parse.ts';
import { plainName } from '../scope/read/output-name.ts';
import type { NamedSchema } from '../scope/state/schema-index.ts';
import type { Scopes } from '../scope/state/scope.ts';
import { type SqlNode, type SqlTree, textOf } from '../tree/node.ts';
import { REWRITTEN_LIMITS, type StatementLimits } from '../tree/statement-limits.ts';
import {
  addCounts,
  countTables,
  finishRewrite,
  type Patch,
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
  return written === called ? requoteName(called, dialect) : written;
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

// Columns that an engine names by their text keep the name that the statement as written would give them.

/** DuckDB prints the statement anew for its names, so that no alias of ours is what it would say: it is asked instead. */
const NAMES_BY_TEXT: ReadonlySet<DialectName> = new Set(['sqlite', 'mysql', 'snowflake']);
/** From here on MariaDB numbers the columns of a CTE, `Name_exp_1`, whatever their text is. */
const MOST_OF_A_CTE_NAME = 64;
const UNNAMED = new Set(['Alias', 'Star', 'Column', 'Dot']);
const AROUND_A_BODY = new Set(['Union', 'Intersect', 'Except', 'Subquery', 'Paren']);

/**
 * Aliases for what is selected without a name and changed by the patches: `SELECT (SELECT MAX(a) FROM t)` is called
 * `(SELECT MAX(a) FROM t)` also when t is a subquery by then, whose text nobody shall read in a header.
 */
function keepNames(tree: SqlTree, patches: readonly Patch[]): readonly Patch[] {
  if (!NAMES_BY_TEXT.has(tree.dialect)) return [];
  const isChanged = changedBy(patches);
  return tree.nodes.flatMap((node): Patch[] => {
    const isItem = node.parent?.type === 'Select' && node.role === 'expressions';
    if (!isItem || UNNAMED.has(node.type) || plainName(node) !== undefined || !isChanged(node)) return [];
    const name = textOf(tree, node);
    if (tree.dialect === 'mysql' && [...name].length > MOST_OF_A_CTE_NAME && isOfCte(node)) return [];
    const alias = ` AS ${writeName(name, tree.dialect)}`;
    return [{ span: { start: node.end, end: node.end }, text: alias }];
  });
}

/**
 * VALUES whose columns MariaDB calls by the text of the first row, which is not the one that was written; no alias can
 * stand there.
 */
function findLostNames(tree: SqlTree, patches: readonly Patch[]): SqlNode | undefined {
  if (tree.dialect !== 'mysql') return undefined;
  const isChanged = changedBy(patches);
  return tree.nodes.find((node) => node.type === 'Values' && node.children.slice(0, 1).some(isChanged));
}

function changedBy(patches: readonly Patch[]): (node: SqlNode) => boolean {
  const starts = patches.map(({ span }) => span.start).sort((a, b) => a - b);
  return (node) => {
    const next = firstFrom(starts, node.start);
    return next !== undefined && next < node.end;
  };
}

function firstFrom(sorted: readonly number[], least: number): number | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}

/** Whether an item is one of what a CTE shows. */
function isOfCte(item: SqlNode): boolean {
  let at = item.parent?.parent;
  while (at !== undefined && AROUND_A_BODY.has(at.type)) at = at.parent;
  return at?.type === 'CTE';
}
