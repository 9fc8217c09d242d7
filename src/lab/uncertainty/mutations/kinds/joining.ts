/** What joins are made of: tables that a key leads to, and the text that joins one. */
import type { Table } from '../../../../catalog/index.ts';
import type { Patch } from '../../../../sql/rewrite/index.ts';
import { ancestor, type SqlNode } from '../../../../sql/tree/index.ts';
import {
  columnText,
  endOfFrom,
  type Link,
  quoted,
  replace,
  type Site,
  type Source,
  tableOf,
  tablesOf,
  type Use,
} from '../site/site.ts';

export interface LinkedTable {
  readonly source: Source;
  readonly table: Table;
  readonly link: Link;
}

/** Tables that a key leads to from a select's tables and that it does not read yet. */
export function linkedTables(site: Site, select: SqlNode): readonly LinkedTable[] {
  const sources = tablesOf(site, select);
  const known = new Set(sources.map((source) => source.table?.id));
  return sources.flatMap((source) =>
    (site.schema.links.get(source.table?.id ?? '') ?? []).flatMap((link) => {
      const table = site.schema.tables.get(link.to.tableId);
      return table === undefined || known.has(table.id) ? [] : [{ source, table, link }];
    }),
  );
}

/**
 * The join of a linked table at the end of FROM, with the name that the query then calls it. Undefined where a name
 * without qualifier would become ambiguous.
 */
export function joinText(
  site: Site,
  select: SqlNode,
  { source, table, link }: LinkedTable,
): { readonly name: string; readonly patch: Patch } | undefined {
  const end = endOfFrom(select);
  if (end === undefined || isMadeAmbiguous(site, select, table)) return;
  const name = freeAlias(site, select) ?? quoted(site, table.name);
  const written = quoted(site, table.name);
  const as = name === written ? '' : ` AS ${name}`;
  const own = tablesOf(site, select).length > 1 || source.alias !== undefined;
  const left = own
    ? columnText(site, source, link.from)
    : `${quoted(site, source.name ?? '')}.${quoted(site, link.from.name)}`;
  const right = `${name}.${quoted(site, link.to.name)}`;
  return { name, patch: replace({ start: end, end }, ` JOIN ${written}${as} ON ${left} = ${right}`) };
}

/** `T3` where the query counts its tables, nothing where it writes their names. */
function freeAlias(site: Site, select: SqlNode): string | undefined {
  const sources = tablesOf(site, select);
  if (sources.some(({ alias }) => alias === undefined)) return;
  const taken = new Set(site.scopes.all.flatMap((scope) => scope.sources.map(({ key }) => key)));
  for (let count = sources.length + 1; ; count += 1) if (!taken.has(`t${count}`)) return `T${count}`;
}

function isMadeAmbiguous(site: Site, select: SqlNode, table: Table): boolean {
  const names = new Set(table.columns.map(({ name }) => name.toLowerCase()));
  const sources = new Set(tablesOf(site, select).filter((source) => tableOf(site, source) !== undefined));
  return site.uses.some(
    ({ node, column, source }) =>
      sources.has(source) && node.children.length === 1 && names.has(column.name.toLowerCase()),
  );
}

/** The other side of an inner join's equation, whose value is the same. */
export function equalKeys(site: Site, { source, column }: Use): readonly Use[] {
  const isIt = (use: Use | undefined): boolean => use?.source === source && use.column === column;
  return site.tree.nodes.flatMap((node) => {
    if (node.type !== 'EQ' || !isOfInnerJoin(node)) return [];
    const [left, right] = node.children.map((each) => site.uses.find((use) => use.node === each));
    return (isIt(left) && right) || (isIt(right) && left) || [];
  });
}

/** A condition of ON that must hold: it stands alone or among others. */
function isOfInnerJoin(node: SqlNode): boolean {
  const join = ancestor(node, ({ type }) => type !== 'And' && type !== 'Paren');
  return join?.type === 'Join' && join.flags.side === undefined;
}
