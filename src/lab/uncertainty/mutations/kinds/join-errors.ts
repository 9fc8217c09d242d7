/** Tables and joins: another one, one too few, one too many, a wrong key. */

import type { Table } from '../../../../catalog/index.ts';
import { nameWords } from '../../../../language/index.ts';
import type { Patch } from '../../../../sql/rewrite/index.ts';
import { child, childrenIn, type SqlNode } from '../../../../sql/tree/index.ts';
import type { ErrorName, Mutation, Proposal } from '../site/mutation.ts';
import { pickNear, pickWeighted } from '../site/near-columns.ts';
import {
  columnText,
  pick,
  quoted,
  replace,
  type Site,
  type Source,
  tableOf,
  tablesOf,
  type Use,
} from '../site/site.ts';
import { isInOn, swapWithin } from './column-errors.ts';
import { joinText, linkedTables } from './joining.ts';

export const JOIN_ERRORS: readonly Mutation<ErrorName>[] = [
  { name: 'table-swapped', propose: (site) => eachTable(site, swapTable) },
  { name: 'join-missing', propose: (site) => eachTable(site, dropTable) },
  { name: 'join-added', propose: (site) => site.selects.flatMap((select) => addJoin(site, select)) },
  {
    name: 'join-key-wrong',
    propose: (site) => site.uses.filter(isInOn).flatMap((use) => swapWithin(site, use) ?? []),
  },
  {
    name: 'join-condition-missing',
    propose: (site) =>
      site.tree.nodes.flatMap((node) => {
        const on = node.type === 'Join' ? child(node, 'on') : undefined;
        const joined = child(node, 'this');
        if (on === undefined || joined === undefined) return [];
        return [{ node: on, patches: [replace({ start: joined.end, end: on.end }, '')] }];
      }),
  },
];

interface Place {
  readonly select: SqlNode;
  readonly source: Source;
  readonly table: Table;
}

function eachTable(
  site: Site,
  change: (site: Site, place: Place) => Proposal | undefined,
): readonly Proposal[] {
  return site.selects.flatMap((select) =>
    tablesOf(site, select).flatMap((source) => {
      const table = tableOf(site, source);
      return (table && change(site, { select, source, table })) ?? [];
    }),
  );
}

/** Reads another table and takes the nearest of its columns for every column that was read. */
function swapTable(site: Site, { select, source, table }: Place): Proposal | undefined {
  const name = child(source.node, 'this');
  const other = pickTable(site, select, table);
  if (name === undefined || other === undefined) return;
  const patches: Patch[] = [replace(name, quoted(site, other.name))];
  for (const use of site.uses.filter((each) => each.source === source)) {
    const key = use.column.name.toLowerCase();
    const same = other.columns.find((column) => column.name.toLowerCase() === key);
    const column = same ?? pickNear(site, use.column, other.columns);
    const [identifier, qualifier] = [child(use.node, 'this'), child(use.node, 'table')];
    if (column === undefined || identifier === undefined) return;
    if (same === undefined) patches.push(replace(identifier, quoted(site, column.name)));
    if (qualifier !== undefined && source.alias === undefined)
      patches.push(replace(qualifier, quoted(site, other.name)));
  }
  return { node: source.node, patches };
}

/** A table with columns of the same names, with words of the question, or behind a key. */
function pickTable(site: Site, select: SqlNode, table: Table): Table | undefined {
  const present = new Set(tablesOf(site, select).map((source) => source.table?.id));
  const linked = new Set((site.schema.links.get(table.id) ?? []).map(({ to }) => to.tableId));
  const names = new Set(table.columns.map(({ name }) => name.toLowerCase()));
  const words = new Set(nameWords(table.name));
  const others = site.schema.catalog.tables.filter(({ id }) => !present.has(id));
  return pickWeighted(
    site.random,
    others.map((other) => {
      const own = nameWords(`${other.name} ${other.comment ?? ''}`);
      const asked = own.filter((word) => site.askedWords.has(word)).length / Math.max(1, own.length);
      const alike = own.filter((word) => words.has(word)).length / Math.max(1, own.length);
      const shared = other.columns.filter(({ name }) => names.has(name.toLowerCase())).length;
      const near = 2 * asked + 2 * alike + (linked.has(other.id) ? 1 : 0) + shared / names.size;
      return [other, 0.05 + near ** 2] as const;
    }),
  );
}

/** Leaves a table out; its columns are taken from the tables that stay. */
function dropTable(site: Site, { select, source }: Place): Proposal | undefined {
  const removed = removeFrom(select, source);
  const rest = tablesOf(site, select).filter((other) => other !== source);
  if (removed === undefined || rest.length === 0) return;
  const patches: Patch[] = [...removed];
  const isGone = ({ start }: SqlNode): boolean =>
    removed.some(({ span }) => span.start <= start && start < span.end);
  for (const use of site.uses) {
    if (use.source !== source || isGone(use.node)) continue;
    const text = takenFrom(site, use, rest);
    if (text === undefined) return;
    patches.push(replace(use.node, text));
  }
  return { node: source.node, patches };
}

function takenFrom(site: Site, use: Use, rest: readonly Source[]): string | undefined {
  const pool = rest.flatMap((source) => tableOf(site, source)?.columns ?? []);
  const key = use.column.name.toLowerCase();
  const same = pool.filter(({ name }) => name.toLowerCase() === key);
  const column = pick(site, same) ?? pickNear(site, use.column, pool);
  const source = rest.find(({ table }) => table?.id === column?.tableId);
  return column && source && columnText(site, source, column, use.node);
}

/** Takes a table out of FROM; where it stood first, the first joined one takes its place. */
function removeFrom(select: SqlNode, { node }: Source): readonly Patch[] | undefined {
  const from = child(select, 'from');
  const [first, ...others] = childrenIn(select, 'joins');
  const joined = first && child(first, 'this');
  if (from === undefined || first === undefined || joined === undefined) return;
  if (child(from, 'this') === node)
    return [
      replace({ start: from.start, end: joined.start }, 'FROM '),
      replace({ start: joined.end, end: first.end }, ''),
    ];
  const join = [first, ...others].find((each) => child(each, 'this') === node);
  return join && [replace(join, '')];
}

function addJoin(site: Site, select: SqlNode): readonly Proposal[] {
  const linked = pick(site, linkedTables(site, select));
  const joined = linked && joinText(site, select, linked);
  return linked === undefined || joined === undefined
    ? []
    : [{ node: linked.source.node, patches: [joined.patch] }];
}
