/** A query as a hypothesis: what it joins, filters, aggregates and how it reads time, taken from its tree. */
import type { Catalog } from '../../catalog/index.ts';
import { items, type Scopes, scopes } from '../../sql/index.ts';
import { ancestor, child, type SqlNode, type SqlTree } from '../../sql/tree/index.ts';
import type { HypothesisAxis, LinkHypothesis } from '../roles/link-reasoner.ts';
import { indexKeys } from './key-index.ts';

/** Characters of the SQL that a summary shows. */
const SUMMARY = 240;

const COMPARISONS: ReadonlySet<string> = new Set(
  'EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Is Like ILike Glob SimilarTo RegexpLike RegexpILike Between In'.split(
    ' ',
  ),
);
const AGGREGATES: ReadonlySet<string> = new Set(['Count', 'Sum', 'Avg', 'Min', 'Max']);

/** `differsBy` is left empty: it needs another hypothesis, see `differences`. */
export function readHypothesis(id: string, tree: SqlTree, catalog: Catalog, use: SqlUse): LinkHypothesis {
  const resolved = scopes(tree, catalog);
  const compared = tree.nodes.filter(({ type }) => COMPARISONS.has(type));
  const joins = compared.flatMap((node) => readJoin(node, resolved));
  const filters = compared.flatMap((node) => readFilter(node, tree, resolved));
  const { columns } = indexKeys(catalog);
  const times = filters.filter(({ field }) => {
    const column = columns.get(field);
    return column !== undefined && (column.family === 'time' || /date|time|year/i.test(column.name));
  });
  return {
    id,
    summary: cut(tree.text.replace(/\s+/g, ' ').trim()),
    differsBy: [],
    entities: [...use.tables],
    filters,
    joins,
    aggregations: tree.nodes
      .filter(({ type }) => AGGREGATES.has(type))
      .map((node) => ({ function: node.type.toLowerCase(), field: columnsIn(node, resolved)[0] ?? '*' })),
    time: times.map(({ condition }) => condition).join('; '),
    ambiguous: [],
  };
}

function cut(text: string): string {
  return text.length <= SUMMARY ? text : `${text.slice(0, SUMMARY - 1)}…`;
}

/** An equality of columns of two tables, wherever it stands. */
function readJoin(node: SqlNode, resolved: Scopes): { left: string; right: string }[] {
  const { left, right } = sidesOf(node, resolved);
  return node.type === 'EQ' && left !== undefined && right !== undefined && tableOf(left) !== tableOf(right)
    ? [{ left, right }]
    : [];
}

/** A comparison of a column with anything that is no column of another table. */
function readFilter(node: SqlNode, tree: SqlTree, resolved: Scopes): { field: string; condition: string }[] {
  if (readJoin(node, resolved).length > 0) return [];
  const field =
    columnsIn(child(node, 'this'), resolved)[0] ?? columnsIn(child(node, 'expression'), resolved)[0];
  return field === undefined ? [] : [{ field, condition: cut(tree.text.slice(node.start, node.end)) }];
}

function sidesOf(node: SqlNode, resolved: Scopes) {
  return {
    left: plainColumn(child(node, 'this'), resolved),
    right: plainColumn(child(node, 'expression'), resolved),
  };
}

/** The stored column that a side is, unchanged; an id. */
function plainColumn(node: SqlNode | undefined, { references }: Scopes): string | undefined {
  const reference = node?.type === 'Column' ? references[node.id] : undefined;
  return reference !== undefined && 'lineage' in reference ? reference.lineage.physical[0]?.id : undefined;
}

/** Stored columns that stand in a part, but for those of queries inside it. */
function columnsIn(part: SqlNode | undefined, resolved: Scopes): string[] {
  if (part === undefined) return [];
  const own = plainColumn(part, resolved);
  if (own !== undefined) return [own];
  if (part.type === 'Subquery' || part.type === 'Select') return [];
  return part.children.flatMap((inner) => columnsIn(inner, resolved));
}

function tableOf(columnId: string): string {
  return columnId.slice(0, columnId.lastIndexOf('.'));
}

/** In what a hypothesis differs from another (section 4); empty for the same query in other words. */
export function differences(one: LinkHypothesis, other: LinkHypothesis): HypothesisAxis[] {
  const parts: readonly (readonly [HypothesisAxis, (of: LinkHypothesis) => readonly string[]])[] = [
    [
      'join_route',
      ({ entities, joins }) => [
        ...entities,
        ...joins.map(({ left, right }) => [left, right].sort().join('=')),
      ],
    ],
    ['filter_encoding', ({ filters }) => filters.map(({ field }) => field)],
    ['aggregation_grain', ({ aggregations }) => aggregations.map((each) => `${each.function} ${each.field}`)],
    ['temporal_interpretation', ({ time }) => [time.toLowerCase()]],
  ];
  const keyOf = (texts: readonly string[]): string => [...new Set(texts)].sort().join('\n');
  return parts.flatMap(([axis, read]) => (keyOf(read(one)) === keyOf(read(other)) ? [] : [axis]));
}

/** What one query uses of a catalog, and whose rows it is about. */
export interface SqlUse {
  /** Canonical ids. */
  readonly tables: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
  /** Tables whose columns the query shows or whose rows it counts: what the question is about. */
  readonly subjects: ReadonlySet<string>;
}

/** Names that the catalog lacks are left out: a prediction may have invented them. */
export function readUse(tree: SqlTree, catalog: Catalog): SqlUse {
  const { tables, columns } = items(tree, catalog);
  const resolved = scopes(tree, catalog);
  return {
    tables: new Set(tables.map(({ id }) => id)),
    fields: new Set(columns.map(({ id }) => id)),
    subjects: new Set([...shownTables(resolved), ...countedTables(tree, resolved)]),
  };
}

function shownTables({ root }: Scopes): string[] {
  const shown = root?.outputs.list.flatMap(({ lineage }) => [...lineage.physical, ...lineage.from]) ?? [];
  return shown.map(({ table }) => table.id);
}

/** Of `COUNT(t.a)` the table t; of `COUNT(*)` every table the query reads. */
function countedTables(tree: SqlTree, resolved: Scopes): string[] {
  return tree.nodes
    .filter(({ type }) => type === 'Count')
    .flatMap((count) => {
      const named = tree.nodes
        .filter((node) => isInside(node, count))
        .flatMap((node) => tablesOf(node, resolved));
      if (named.length > 0) return named;
      return (resolved.places[count.id]?.sources ?? []).flatMap(({ table }) => table?.id ?? []);
    });
}

function isInside(node: SqlNode, outer: SqlNode): boolean {
  return ancestor(node, (above) => above === outer) !== undefined;
}

function tablesOf(node: SqlNode, { references }: Scopes): string[] {
  const reference = references[node.id];
  if (reference === undefined || reference.kind === 'star' || !('lineage' in reference)) return [];
  return reference.lineage.physical.map(({ table }) => table.id);
}
