/** GROUP BY, HAVING, ORDER BY, LIMIT and the select list. */
import { child, childrenIn, type SqlNode } from '../../../../sql/tree/index.ts';
import { numbersOf } from '../site/asked-phrases.ts';
import type { ErrorName, Mutation, Proposal } from '../site/mutation.ts';
import { pickNear } from '../site/near-columns.ts';
import {
  columnText,
  conjunctsOf,
  endOfFrom,
  endOfGrouping,
  pick,
  quoted,
  replace,
  type Site,
  tableOf,
  tablesOf,
  textAt,
  withCondition,
  withoutConjunct,
} from '../site/site.ts';
import { aggregatesOf } from './aggregate-errors.ts';

export const CLAUSE_ERRORS: readonly Mutation<ErrorName>[] = [
  { name: 'group-missing', propose: (site) => eachSelect(site, dropGroup) },
  { name: 'group-added', propose: (site) => eachSelect(site, addGroup) },
  { name: 'group-key-changed', propose: (site) => swapKeys(site, 'Group') },
  { name: 'having-in-where', propose: (site) => eachSelect(site, filterRows) },
  { name: 'where-in-having', propose: (site) => eachSelect(site, filterGroups) },
  { name: 'order-direction', propose: (site) => eachOrdered(site, turn) },
  {
    name: 'order-key',
    propose: (site) => [...swapKeys(site, 'Ordered'), ...eachOrdered(site, orderByShown)],
  },
  { name: 'order-missing', propose: (site) => eachSelect(site, dropOrder) },
  { name: 'order-added', propose: (site) => eachSelect(site, addOrder) },
  { name: 'limit-number', propose: (site) => eachSelect(site, changeLimit) },
  { name: 'limit-missing', propose: (site) => eachSelect(site, (_, select) => dropLimit(select)) },
  { name: 'limit-added', propose: (site) => eachSelect(site, addLimit) },
  { name: 'select-added', propose: (site) => eachSelect(site, showMore) },
  { name: 'select-missing', propose: (site) => eachSelect(site, showLess) },
];

type Change = (site: Site, node: SqlNode) => Proposal | undefined;

function eachSelect(site: Site, change: Change): readonly Proposal[] {
  return site.selects.flatMap((select) => change(site, select) ?? []);
}

function eachOrdered(site: Site, change: Change): readonly Proposal[] {
  return site.tree.nodes.flatMap((node) => (node.type === 'Ordered' ? (change(site, node) ?? []) : []));
}

function dropGroup(_: Site, select: SqlNode): Proposal | undefined {
  const [group, having] = [child(select, 'group'), child(select, 'having')];
  if (group === undefined) return;
  return { node: group, patches: [replace({ start: group.start, end: having?.end ?? group.end }, '')] };
}

/** Groups by the first column shown, or by a column that a condition names. */
function addGroup(site: Site, select: SqlNode): Proposal | undefined {
  const end = child(select, 'where')?.end ?? endOfFrom(select);
  if (child(select, 'group') !== undefined || end === undefined) return;
  const shown = childrenIn(select, 'expressions').filter(({ type }) => type === 'Column');
  const used = site.uses.filter(({ node }) => node.start >= select.start && node.end <= end);
  const key = pick(site, shown) ?? pick(site, used)?.node;
  if (key === undefined || child(key, 'this')?.type === 'Star') return;
  return { node: select, patches: [replace({ start: end, end }, ` GROUP BY ${textAt(site, key)}`)] };
}

function swapKeys(site: Site, parent: 'Group' | 'Ordered'): readonly Proposal[] {
  return site.uses.flatMap(({ node, column, source }) => {
    const table = node.parent?.type === parent ? tableOf(site, source) : undefined;
    const other = table && pickNear(site, column, table.columns);
    const name = child(node, 'this');
    if (other === undefined || name === undefined) return [];
    return [{ node, patches: [replace(name, quoted(site, other.name))] }];
  });
}

function filterRows(site: Site, select: SqlNode): Proposal | undefined {
  const having = child(select, 'having');
  const [held] = having?.children ?? [];
  if (having === undefined || held === undefined || held.type === 'Or') return;
  const patch = withCondition(select, textAt(site, held));
  return patch && { node: having, patches: [patch, replace(having, '')] };
}

function filterGroups(site: Site, select: SqlNode): Proposal | undefined {
  const [group, where] = [child(select, 'group'), child(select, 'where')];
  const [held] = where?.children ?? [];
  if (group === undefined || held === undefined || child(select, 'having') !== undefined) return;
  const node = pick(site, conjunctsOf(held));
  const removed = node && withoutConjunct(site, node);
  if (node === undefined || removed === undefined) return;
  const added = replace({ start: group.end, end: group.end }, ` HAVING ${textAt(site, node)}`);
  return { node, patches: [removed, added] };
}

function turn(site: Site, node: SqlNode): Proposal | undefined {
  const key = node.children[0];
  if (key === undefined) return;
  const rest = site.tree.text.slice(key.end, node.end);
  const turned =
    node.flags.desc === undefined ? ` DESC${rest.replace(/\s+asc\b/i, '')}` : rest.replace(/\s+desc\b/i, '');
  return { node, patches: [replace({ start: key.end, end: node.end }, turned)] };
}

/** Orders by something that the query shows or counts. */
function orderByShown(site: Site, node: SqlNode): Proposal | undefined {
  const key = node.children[0];
  const select = node.parent?.parent;
  if (key === undefined || select?.type !== 'Select') return;
  const shown = childrenIn(select, 'expressions').map((each) =>
    each.type === 'Alias' ? (each.children[0] ?? each) : each,
  );
  const texts = [...shown, ...aggregatesOf(site)]
    .map((each) => textAt(site, each))
    .filter((text) => text !== '*' && text !== textAt(site, key));
  const text = pick(site, texts);
  return text === undefined ? undefined : { node: key, patches: [replace(key, text)] };
}

/** Without an order a limit is mostly left out too. */
function dropOrder(site: Site, select: SqlNode): Proposal | undefined {
  const [order, limit] = [child(select, 'order'), child(select, 'limit')];
  if (order === undefined) return;
  const end = limit !== undefined && site.random() < 0.7 ? limit.end : order.end;
  return { node: order, patches: [replace({ start: order.start, end }, '')] };
}

function addOrder(site: Site, select: SqlNode): Proposal | undefined {
  const end = endOfGrouping(select);
  const isBare = child(select, 'order') === undefined && child(select, 'limit') === undefined;
  const isWhole =
    select.parent === undefined || select.parent.type === 'Subquery' || select.parent.type === 'CTE';
  if (!isBare || !isWhole || end === undefined) return;
  const inSelect = site.uses.filter(({ node }) => node.start >= select.start && node.end <= end);
  const key = pick(site, [...aggregatesOf(site), ...inSelect.map(({ node }) => node)]);
  if (key === undefined || key.start < select.start || key.end > end) return;
  const tail = pick(site, [' DESC', ' ASC', ' DESC LIMIT 1', ' LIMIT 1', '']) ?? '';
  return { node: select, patches: [replace({ start: end, end }, ` ORDER BY ${textAt(site, key)}${tail}`)] };
}

function limitNumber(select: SqlNode): SqlNode | undefined {
  const limit = child(select, 'limit');
  const number = limit && child(limit, 'expression');
  return number?.type === 'Literal' ? number : undefined;
}

function changeLimit(site: Site, select: SqlNode): Proposal | undefined {
  const node = limitNumber(select);
  const numbers = [...numbersOf(site.asked).filter((text) => /^\d{1,3}$/.test(text)), '1', '3', '5', '10'];
  const other =
    node &&
    pick(
      site,
      numbers.filter((text) => text !== node.value),
    );
  return node && other !== undefined ? { node, patches: [replace(node, other)] } : undefined;
}

function dropLimit(select: SqlNode): Proposal | undefined {
  const node = child(select, 'limit');
  return node && { node, patches: [replace(node, '')] };
}

function addLimit(site: Site, select: SqlNode): Proposal | undefined {
  const order = child(select, 'order');
  const isLimited = child(select, 'limit') !== undefined || child(select, 'offset') !== undefined;
  if (order === undefined || isLimited) return;
  const number = pick(site, ['1', '1', '5', '10']);
  return { node: order, patches: [replace({ start: order.end, end: order.end }, ` LIMIT ${number}`)] };
}

/** Also shows what it orders, filters or groups by, or another column that the question names. */
function showMore(site: Site, select: SqlNode): Proposal | undefined {
  const last = childrenIn(select, 'expressions').at(-1);
  const isCompared = select.parent?.role === 'query' || select.parent?.parent?.type === 'EQ';
  if (last === undefined || isCompared) return;
  const shown = new Set(childrenIn(select, 'expressions').map((each) => textAt(site, each)));
  const inside = (node: SqlNode): boolean => node.start >= last.end && node.end <= select.end;
  const used = [...aggregatesOf(site), ...site.uses.map(({ node }) => node)]
    .filter(inside)
    .map((node) => textAt(site, node));
  const near = site.uses.find(({ node }) => node.parent === select || node.parent?.parent === select);
  const source = pick(site, tablesOf(site, select));
  const other = source && near && pickNear(site, near.column, tableOf(site, source)?.columns ?? []);
  const named = source && other ? [columnText(site, source, other)] : [];
  const text = pick(
    site,
    [...used, ...named, ...named].filter((each) => !shown.has(each)),
  );
  if (text === undefined) return;
  return { node: last, patches: [replace({ start: last.end, end: last.end }, `, ${text}`)] };
}

function showLess(site: Site, select: SqlNode): Proposal | undefined {
  const shown = childrenIn(select, 'expressions');
  const node = pick(site, shown);
  if (shown.length < 2 || node === undefined) return;
  const at = shown.indexOf(node);
  const [before, after] = [shown[at - 1], shown[at + 1]];
  if (after !== undefined) return { node, patches: [replace({ start: node.start, end: after.start }, '')] };
  return before && { node, patches: [replace({ start: before.end, end: node.end }, '')] };
}
