/** A query ready to be changed: its tree and names, the schema, the question, and chance. */

import type { Catalog, Column, Table } from '../../../../catalog/index.ts';
import type { ReadQuery } from '../../../../faults/reading/index.ts';
import { nameWords } from '../../../../language/index.ts';
import { writeName } from '../../../../sql/dialects/index.ts';
import type { Scopes } from '../../../../sql/index.ts';
import type { Patch } from '../../../../sql/rewrite/index.ts';
import {
  ancestor,
  child,
  childrenIn,
  type SqlNode,
  type SqlTree,
  textOf,
} from '../../../../sql/tree/index.ts';

export type Source = Scopes['all'][number]['sources'][number];

/** What was asked; the words that a model reads into its query. */
export interface Asked {
  readonly question: string;
  readonly hint: string;
}

export interface Site {
  readonly tree: SqlTree;
  readonly scopes: Scopes;
  readonly schema: SchemaView;
  readonly asked: Asked;
  /** Lower-case words of question and hint. */
  readonly askedWords: ReadonlySet<string>;
  /** In [0, 1). */
  readonly random: () => number;
  /** Columns of the query that are columns of tables, in the order of the text. */
  readonly uses: readonly Use[];
  readonly selects: readonly SqlNode[];
}

/** A Column of the query that means a column of the catalog. */
export interface Use {
  readonly node: SqlNode;
  readonly column: Column;
  readonly source: Source;
}

export function openSite(query: ReadQuery, catalog: Catalog, asked: Asked, random: () => number): Site {
  const { tree, scopes } = query;
  const schema = viewSchema(catalog);
  return {
    tree,
    scopes,
    schema,
    asked,
    askedWords: new Set(nameWords(`${asked.question} ${asked.hint}`)),
    random,
    uses: tree.nodes.flatMap((node) => useOf(node, scopes, schema) ?? []),
    selects: tree.nodes.filter(({ type }) => type === 'Select'),
  };
}

function useOf(node: SqlNode, scopes: Scopes, schema: SchemaView): Use | undefined {
  const reference = scopes.references[node.id];
  if (node.type !== 'Column' || reference?.kind !== 'column' || reference.source.kind !== 'table') return;
  const { origin } = reference.output;
  const column = origin.kind === 'schema' ? schema.columns.get(origin.column.id) : undefined;
  return column && { node, column, source: reference.source };
}

export function pick<T>(site: Pick<Site, 'random'>, items: readonly T[]): T | undefined {
  return items[Math.floor(site.random() * items.length)];
}

/** Sources of a select's own FROM that are tables of the catalog. */
export function tablesOf(site: Site, select: SqlNode): readonly Source[] {
  const scope = site.scopes.places[select.id];
  if (scope?.query !== select) return [];
  return scope.sources.filter(({ kind, node }) => kind === 'table' && node.type === 'Table');
}

export function tableOf(site: Site, { table }: Source): Table | undefined {
  return table && site.schema.tables.get(table.id);
}

/** The select that a node stands in. */
export function selectAround(node: SqlNode): SqlNode | undefined {
  return ancestor(node, ({ type }) => type === 'Select');
}

export function quoted(site: Site, name: string): string {
  return writeName(name, site.tree.dialect);
}

/** A column of a source as the query would write it: qualified where there is more than one source. */
export function columnText(site: Site, source: Source, column: Column, like?: SqlNode): string {
  const name = quoted(site, column.name);
  const isQualified = like === undefined ? source.alias !== undefined : child(like, 'table') !== undefined;
  const isAlone =
    (site.scopes.all.find(({ sources }) => sources.includes(source))?.sources.length ?? 1) === 1;
  if ((isAlone && !isQualified) || source.name === undefined) return name;
  return `${quoted(site, source.name)}.${name}`;
}

export function textAt(site: Site, node: SqlNode): string {
  return textOf(site.tree, node);
}

export function replace(
  { start, end }: { readonly start: number; readonly end: number },
  text: string,
): Patch {
  return { span: { start, end }, text };
}

/** The links of a chain of AND, in the order of the text; a condition that is none is its own chain. */
export function conjunctsOf(condition: SqlNode): readonly SqlNode[] {
  if (condition.type !== 'And') return [condition];
  return condition.children.flatMap(conjunctsOf);
}

/** Takes a condition out of its chain; the last one takes its clause with it. */
export function withoutConjunct(site: Site, conjunct: SqlNode): Patch | undefined {
  const { parent } = conjunct;
  if (parent?.type === 'And') {
    const other = parent.children.find((each) => each !== conjunct);
    return other && replace(parent, textAt(site, other));
  }
  return parent?.type === 'Where' || parent?.type === 'Having' ? replace(parent, '') : undefined;
}

/** Adds a condition to the WHERE of a select. */
export function withCondition(select: SqlNode, condition: string): Patch | undefined {
  const where = child(select, 'where');
  const [held] = where?.children ?? [];
  if (where !== undefined) {
    if (held === undefined) return;
    if (held.type !== 'Or') return replace({ start: held.end, end: held.end }, ` AND ${condition}`);
    return undefined;
  }
  const end = endOfFrom(select);
  return end === undefined ? undefined : replace({ start: end, end }, ` WHERE ${condition}`);
}

/** Where FROM with its joins ends. */
export function endOfFrom(select: SqlNode): number | undefined {
  const from = child(select, 'from');
  return from && Math.max(from.end, ...childrenIn(select, 'joins').map(({ end }) => end));
}

/** Where the last clause before ORDER BY or LIMIT ends. */
export function endOfGrouping(select: SqlNode): number | undefined {
  const last = child(select, 'having') ?? child(select, 'group') ?? child(select, 'where');
  return last?.end ?? endOfFrom(select);
}

/** A catalog as mutations look at it. */
interface SchemaView {
  readonly catalog: Catalog;
  readonly tables: ReadonlyMap<string, Table>;
  readonly columns: ReadonlyMap<string, Column>;
  /** Single-column links both ways, by table id. */
  readonly links: ReadonlyMap<string, readonly Link[]>;
  /** Columns at an end of a link, and single-column primary keys. */
  readonly keys: ReadonlySet<string>;
  /** Lower-case words of a column's name and comment. */
  readonly wordsOf: (column: Column) => ReadonlySet<string>;
}

export interface Link {
  readonly from: Column;
  readonly to: Column;
}

const VIEWS = new WeakMap<Catalog, SchemaView>();

/** The view of a catalog, made at the first call with this object. */
function viewSchema(catalog: Catalog): SchemaView {
  const known = VIEWS.get(catalog);
  if (known !== undefined) return known;
  const view = makeView(catalog);
  VIEWS.set(catalog, view);
  return view;
}

function makeView(catalog: Catalog): SchemaView {
  const columns = new Map(
    catalog.tables.flatMap((table) => table.columns.map((column) => [column.id, column] as const)),
  );
  const links = new Map<string, Link[]>();
  const keys = new Set(
    catalog.tables.flatMap(({ primaryKey }) => (primaryKey.length === 1 ? primaryKey : [])),
  );
  const add = (from: Column, to: Column): void => {
    const list = links.get(from.tableId) ?? [];
    list.push({ from, to });
    links.set(from.tableId, list);
    keys.add(from.id);
  };
  for (const { fromColumns, toColumns } of catalog.foreignKeys) {
    const from = columns.get(fromColumns[0] ?? '');
    const to = columns.get(toColumns[0] ?? '');
    if (fromColumns.length !== 1 || from === undefined || to === undefined) continue;
    add(from, to);
    if (from.tableId !== to.tableId) add(to, from);
  }
  const words = new Map<string, ReadonlySet<string>>();
  const wordsOf = (column: Column): ReadonlySet<string> => {
    const found = words.get(column.id) ?? new Set(nameWords(`${column.name} ${column.comment ?? ''}`));
    words.set(column.id, found);
    return found;
  };
  return {
    catalog,
    tables: new Map(catalog.tables.map((table) => [table.id, table])),
    columns,
    links,
    keys,
    wordsOf,
  };
}
