/** Conditions added to a query for each place of a table: in WHERE, or in ON where WHERE would drop rows of others. */
import { requoteName } from '../dialects/quoting.ts';
import { scopes } from '../scope/scopes.ts';
import type { NamedSchema } from '../scope/state/schema-index.ts';
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import { filterTables, readCondition, type TableFilters } from './filter-tables.ts';
import {
  countTables,
  finishRewrite,
  type Patch,
  patchText,
  type RewriteResult,
  refuseRewrite,
} from './rewrite-result.ts';
import { findTablePlaces, type TablePlace } from './table-places.ts';

/**
 * The same rows as `filterTables` gives, written as a person would: `SELECT a FROM t WHERE b` with `c = 1` for t
 * becomes `SELECT a FROM t WHERE (b) AND (t.c = 1)`. Where a place allows neither WHERE nor ON (right and full
 * joins, joins in brackets, a condition with a query of its own), the whole query is filtered by subqueries instead.
 */
export function addPredicates(tree: SqlTree, filters: TableFilters, schema: NamedSchema): RewriteResult {
  const found = findTablePlaces(tree, new Set(filters.keys()), schema);
  if (!found.ok) return found;
  const additions: Addition[] = [];
  for (const place of found.places) {
    const site = siteOf(place.node);
    if (site === undefined) return filterTables(tree, filters, schema);
    const condition = qualify(filters.get(place.tableId) ?? '', place, { tree, schema });
    // A query inside the condition has names of its own, which those of this query could hide.
    if (condition.kind === 'has-query') return filterTables(tree, filters, schema);
    if (condition.kind === 'wrong') {
      return refuseRewrite(`the filter of ${place.tableId} ${condition.problem}`, place.node);
    }
    additions.push({ site, condition: condition.text });
  }
  const expected = countTables(tree, schema);
  return finishRewrite(tree, { patches: patchesOf(additions), expected }, schema);
}

interface Addition {
  readonly site: Site;
  readonly condition: string;
}

/** Where a condition may go: the SELECT whose WHERE it joins, or the left join whose ON it joins. */
interface Site {
  readonly kind: 'where' | 'on';
  readonly node: SqlNode;
}

function siteOf(table: SqlNode): Site | undefined {
  const holder = table.parent;
  const select = holder?.parent;
  // A pivot turns the rows before WHERE filters them, and `TABLE t` takes no WHERE.
  if (holder?.flags.kind === 'TABLE' || table.children.some(({ role }) => role === 'pivots'))
    return undefined;
  // CONNECT BY walks before WHERE filters; among steps a WHERE is one of its own.
  if (holder === undefined || select?.type !== 'Select' || child(select, 'connect')) return undefined;
  if (select.flags.pipe !== undefined) return undefined;
  const joins = select.children.filter(({ role }) => role === 'joins');
  const index = joins.indexOf(holder);
  // A later right or full join makes rows without this table; a filter behind it would drop them.
  const later = joins.slice(index + 1);
  const isSafe = later.every(({ flags }) => flags.side === undefined || flags.side === 'LEFT');
  if (!isSafe || later.some(({ flags }) => flags.method !== undefined)) return undefined;
  if (holder.type === 'From') return { kind: 'where', node: select };
  const { side, kind, method } = holder.flags;
  if (method !== undefined || kind === 'SEMI' || kind === 'ANTI') return undefined;
  if (side === undefined) return { kind: 'where', node: select };
  return side === 'LEFT' && child(holder, 'on') !== undefined ? { kind: 'on', node: holder } : undefined;
}

/** The condition with the place's name before each of its columns. */
function qualify(
  condition: string,
  place: TablePlace,
  { tree, schema }: { readonly tree: SqlTree; readonly schema: NamedSchema },
): Qualified {
  const table = tree.text.slice(place.nameSpan.start, place.nameSpan.end);
  const read = readCondition(condition, table, { dialect: tree.dialect, schema });
  if (!read.ok) return { kind: 'wrong', problem: read.problem };
  const resolved = scopes(read.tree, schema);
  if (resolved.all.length > 1) return { kind: 'has-query' };
  const written = tree.text.slice(place.calledSpan.start, place.calledSpan.end);
  const alias = written === place.called ? requoteName(written, tree.dialect) : written;
  const patches = read.tree.nodes.flatMap((node): Patch[] => {
    const reference = resolved.references[node.id];
    const isOwn = node.type === 'Column' && reference?.kind === 'column';
    const name = child(node, 'this');
    if (!isOwn || name === undefined) return [];
    return [{ span: { start: node.start - read.offset, end: name.start - read.offset }, text: `${alias}.` }];
  });
  return { kind: 'qualified', text: patchText(condition, patches) };
}

type Qualified =
  | { readonly kind: 'qualified'; readonly text: string }
  | { readonly kind: 'has-query' }
  | { readonly kind: 'wrong'; readonly problem: string };

/** Clauses that stand before WHERE; DuckDB writes FROM before the list. */
const BEFORE_WHERE: ReadonlySet<string> = new Set(['distinct', 'expressions', 'from', 'joins']);

/** One patch for each WHERE and ON, with all conditions that join it. */
function patchesOf(additions: readonly Addition[]): readonly Patch[] {
  const bySite = new Map<SqlNode, { site: Site; conditions: string[] }>();
  for (const { site, condition } of additions) {
    const known = bySite.get(site.node) ?? { site, conditions: [] };
    known.conditions.push(`(${condition}\n)`);
    bySite.set(site.node, known);
  }
  // Where an ON ends and a WHERE begins at one place, the ON is closed first.
  const inOrder = [...bySite.values()].sort(
    (a, b) => Number(a.site.kind === 'where') - Number(b.site.kind === 'where'),
  );
  return inOrder.flatMap(({ site, conditions }) => {
    const added = conditions.join(' AND ');
    const clause = site.kind === 'on' ? site.node : child(site.node, 'where');
    const inner = clause && child(clause, site.kind === 'on' ? 'on' : 'this');
    if (inner !== undefined) {
      return [
        { span: { start: inner.start, end: inner.start }, text: '(' },
        { span: { start: inner.end, end: inner.end }, text: `\n) AND ${added}` },
      ];
    }
    const end = Math.max(
      ...site.node.children.filter(({ role }) => BEFORE_WHERE.has(role)).map((part) => part.end),
    );
    return [{ span: { start: end, end }, text: ` WHERE ${added}` }];
  });
}
