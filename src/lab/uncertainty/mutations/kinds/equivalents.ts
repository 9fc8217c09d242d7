/** Another way to the same rows, in the usual case: right, although the trees differ. */

import type { Patch } from '../../../../sql/rewrite/index.ts';
import { child, childrenIn, type SqlNode } from '../../../../sql/tree/index.ts';
import type { HarmlessName, Mutation, Proposal } from '../site/mutation.ts';
import {
  columnText,
  conjunctsOf,
  endOfGrouping,
  pick,
  quoted,
  replace,
  type Site,
  type Source,
  tableOf,
  tablesOf,
  textAt,
  withCondition,
  withoutConjunct,
} from '../site/site.ts';
import { isInOn } from './column-errors.ts';
import { equalKeys } from './joining.ts';
import { between, operandText } from './literal-errors.ts';

export const EQUIVALENTS: readonly Mutation<HarmlessName>[] = [
  { name: 'select-order', propose: (site) => site.selects.flatMap((select) => swapShown(site, select)) },
  { name: 'count-of-key', propose: (site) => eachOf(site, 'Count', (node) => countKey(site, node)) },
  { name: 'key-of-other-side', propose: otherSide },
  { name: 'between-as-two', propose: (site) => eachOf(site, 'Between', (node) => asTwo(site, node)) },
  { name: 'in-of-one', propose: (site) => eachOf(site, 'EQ', (node) => asList(site, node)) },
  { name: 'if-as-case', propose: (site) => eachOf(site, 'If', (node) => asCase(site, node)) },
  { name: 'join-as-in', propose: (site) => site.selects.flatMap((select) => joinAsIn(site, select)) },
  { name: 'extreme-as-order', propose: (site) => site.selects.flatMap((select) => asOrder(site, select)) },
  { name: 'order-as-extreme', propose: (site) => site.selects.flatMap((select) => asExtreme(site, select)) },
];

function eachOf(site: Site, type: string, write: (node: SqlNode) => string | undefined): readonly Proposal[] {
  return site.tree.nodes.flatMap((node) => {
    const text = node.type === type ? write(node) : undefined;
    return text === undefined ? [] : [{ node, patches: [replace(node, text)] }];
  });
}

function swapShown(site: Site, select: SqlNode): readonly Proposal[] {
  const shown = childrenIn(select, 'expressions');
  const at = Math.floor(site.random() * Math.max(0, shown.length - 1));
  const [first, second] = [shown[at], shown[at + 1]];
  // Places of ORDER BY 1 and of the branches of a UNION count.
  if (select.parent !== undefined || first === undefined || second === undefined) return [];
  const isPlaced = site.tree.nodes.some(
    ({ type, parent }) => type === 'Literal' && (parent?.type === 'Ordered' || parent?.type === 'Group'),
  );
  if (isPlaced) return [];
  return [
    { node: first, patches: [replace(first, textAt(site, second)), replace(second, textAt(site, first))] },
  ];
}

/** `COUNT(*)` ↔ `COUNT(key)`, where no outer join makes the key null; keys of other tables are rarely null. */
function countKey(site: Site, node: SqlNode): string | undefined {
  const inner = node.children[0];
  const select = site.scopes.places[node.id]?.query;
  if (inner === undefined || select?.type !== 'Select') return;
  if (childrenIn(select, 'joins').some(({ flags }) => flags.side !== undefined)) return;
  if (inner.type === 'Star') {
    const source = pick(site, tablesOf(site, select));
    const [key, ...others] = (source && tableOf(site, source)?.primaryKey) ?? [];
    const column = others.length === 0 && key !== undefined ? site.schema.columns.get(key) : undefined;
    if (source?.name === undefined || column === undefined) return;
    return `COUNT(${quoted(site, source.name)}.${quoted(site, column.name)})`;
  }
  const use = site.uses.find((each) => each.node === inner);
  return use !== undefined && site.schema.keys.has(use.column.id) ? 'COUNT(*)' : undefined;
}

/** `T1.id` → `T2.t1_id`, where a join says that they are equal. */
function otherSide(site: Site): readonly Proposal[] {
  return site.uses.flatMap((use) => {
    const other = isInOn(use) ? undefined : pick(site, equalKeys(site, use));
    return other === undefined
      ? []
      : [
          {
            node: use.node,
            patches: [replace(use.node, columnText(site, other.source, other.column, use.node))],
          },
        ];
  });
}

function asTwo(site: Site, node: SqlNode): string | undefined {
  const [value, low, high] = [child(node, 'this'), child(node, 'low'), child(node, 'high')];
  if (value === undefined || low === undefined || high === undefined) return;
  if (/\bnot\b|\bsymmetric\b/i.test(between(site, value, low))) return;
  const text = operandText(site, value);
  const both = `${text} >= ${operandText(site, low)} AND ${text} <= ${operandText(site, high)}`;
  return node.parent?.type === 'And' || node.parent?.type === 'Where' ? both : `(${both})`;
}

function asList(site: Site, node: SqlNode): string | undefined {
  const [left, right] = node.children;
  if (left?.type !== 'Column' || right?.type !== 'Literal' || node.parent?.type === 'Not') return;
  return `${textAt(site, left)} IN (${textAt(site, right)})`;
}

/** `IIF(c, a, b)` → `CASE WHEN c THEN a ELSE b END`. */
function asCase(site: Site, node: SqlNode): string | undefined {
  const [condition, yes, no] = [child(node, 'this'), child(node, 'true'), child(node, 'false')];
  if (node.parent?.type === 'Case' || condition === undefined || yes === undefined) return;
  const otherwise = no === undefined ? '' : ` ELSE ${textAt(site, no)}`;
  return `CASE WHEN ${textAt(site, condition)} THEN ${textAt(site, yes)}${otherwise} END`;
}

/** `FROM a JOIN b ON a.x = b.y WHERE b.c = 1` → `FROM a WHERE a.x IN (SELECT y FROM b WHERE c = 1)`. */
function joinAsIn(site: Site, select: SqlNode): readonly Proposal[] {
  const where = child(select, 'where');
  const [held] = where?.children ?? [];
  return childrenIn(select, 'joins').flatMap((join) => {
    const source = tablesOf(site, select).find(({ node }) => node === child(join, 'this'));
    const on = child(join, 'on');
    const conjuncts = held === undefined ? [] : conjunctsOf(held);
    if (source === undefined || held === undefined || on?.type !== 'EQ' || join.flags.side !== undefined)
      return [];
    const own = conjuncts.filter((each) => isOnlyOf(site, each, source));
    const covered = [join, ...own];
    const isElsewhere = site.uses.some(
      ({ node, source: of }) =>
        of === source && !covered.some(({ start, end }) => start <= node.start && node.end <= end),
    );
    const [left, right] = on.children;
    const keys = [left, right].map((each) => site.uses.find(({ node }) => node === each));
    const inner = keys.find((use) => use?.source === source);
    const outer = keys.find((use) => use !== undefined && use.source !== source);
    if (own.length !== 1 || own[0] === undefined || isElsewhere || inner === undefined || outer === undefined)
      return [];
    const name = textAt(site, source.node);
    const text = `${textAt(site, outer.node)} IN (SELECT ${textAt(site, inner.node)} FROM ${name} WHERE ${textAt(site, own[0])})`;
    return [{ node: join, patches: [replace(join, ''), replace(own[0], text)] }];
  });
}

function isOnlyOf(site: Site, condition: SqlNode, source: Source): boolean {
  const inside = site.uses.filter(({ node }) => condition.start <= node.start && node.end <= condition.end);
  const isPlain = condition.type !== 'Or' && inside.length > 0;
  return isPlain && inside.every((use) => use.source === source);
}

/** `WHERE x = (SELECT MAX(x) FROM t)` → `ORDER BY x DESC LIMIT 1`. */
function asOrder(site: Site, select: SqlNode): readonly Proposal[] {
  const [held] = child(select, 'where')?.children ?? [];
  const end = endOfGrouping(select);
  const isBare = ['order', 'limit', 'group', 'having'].every(
    (role) => !select.children.some((each) => each.role === role),
  );
  if (held === undefined || end === undefined || !isBare || select.parent !== undefined) return [];
  const shown = childrenIn(select, 'expressions');
  if (shown.some(({ type }) => type !== 'Column' && type !== 'Alias')) return [];
  return conjunctsOf(held).flatMap((node) => {
    const [left, right] = node.children;
    const inner = right?.type === 'Subquery' ? right.children[0] : undefined;
    const extreme = inner?.type === 'Select' && inner.children.length === 2 ? inner.children[0] : undefined;
    if (node.type !== 'EQ' || left?.type !== 'Column' || (extreme?.type !== 'Max' && extreme?.type !== 'Min'))
      return [];
    const removed = withoutConjunct(site, node);
    if (removed === undefined) return [];
    const order = `ORDER BY ${textAt(site, left)} ${extreme.type === 'Max' ? 'DESC' : 'ASC'} LIMIT 1`;
    return [{ node, patches: joined(removed, end, order) }];
  });
}

/** One patch where what is taken out ends where the rest is put in. */
function joined(removed: Patch, at: number, text: string): readonly Patch[] {
  if (removed.span.end !== at) return [removed, replace({ start: at, end: at }, ` ${text}`)];
  return [replace(removed.span, `${removed.text} ${text}`)];
}

/** `FROM t ORDER BY x DESC LIMIT 1` → `FROM t WHERE x = (SELECT MAX(x) FROM t)`. */
function asExtreme(site: Site, select: SqlNode): readonly Proposal[] {
  const [order, limit] = [child(select, 'order'), child(select, 'limit')];
  const [source, ...others] = tablesOf(site, select);
  const [ordered, ...further] = order?.children ?? [];
  const use = site.uses.find(({ node }) => node === ordered?.children[0]);
  const isOne = limit?.children.length === 1 && limit.children[0]?.value === '1';
  const isBare = ['where', 'joins', 'group', 'having'].every(
    (role) => !select.children.some((each) => each.role === role),
  );
  if (
    order === undefined ||
    limit === undefined ||
    ordered === undefined ||
    use === undefined ||
    source === undefined
  )
    return [];
  if (!isOne || !isBare || further.length + others.length > 0 || select.parent !== undefined) return [];
  const name = ordered.flags.desc === undefined ? 'MIN' : 'MAX';
  const column = quoted(site, use.column.name);
  const table = quoted(site, tableOf(site, source)?.name ?? '');
  const patch = withCondition(
    select,
    `${textAt(site, use.node)} = (SELECT ${name}(${column}) FROM ${table})`,
  );
  return patch === undefined
    ? []
    : [{ node: order, patches: [patch, replace({ start: order.start, end: limit.end }, '')] }];
}
