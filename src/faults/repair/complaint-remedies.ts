/** What may be done about that which an engine refuses though all names are right: grouping, subqueries, clauses. */

import type { Patch } from '../../sql/rewrite/index.ts';
import { isAggregateCall } from '../../sql/scope/index.ts';
import { ancestor, child, childrenIn, type SqlNode, walk } from '../../sql/tree/index.ts';
import { andedIn, conditionText, isCondition } from '../reading/operands.ts';
import { readSelects } from '../reading/selects.ts';
import type { Ailing, Remedy } from './remedy.ts';

/** GROUP BY everything in the list that is not aggregated: an item as it is written, a column inside an aggregated item. */
export function groupedBy({ fault, query }: Ailing): readonly Remedy[] {
  const select = query.scopes.places[fault.node]?.query;
  if (select?.type !== 'Select') return [];
  const written = ({ start, end }: SqlNode) => query.tree.text.slice(start, end);
  const items = childrenIn(select, 'expressions').map((item) =>
    item.type === 'Alias' ? (child(item, 'this') ?? item) : item,
  );
  // What a star stands for is not to be grouped by unseen.
  if (items.some(({ type }) => type === 'Star')) return [];
  const keys = items.flatMap((item) => keysOf(item)).map(written);
  const group = child(select, 'group');
  const place = group === undefined ? newGroup(select, keys) : moreGroups(group, keys, written);
  if (place === undefined) return [];
  // A row beside what its whole group comes to: by that column every group may be one row.
  const isMixed = items.some((item) => holdsAggregate(item) && bareColumns(item).length > 0);
  const guess = isMixed ? `each ${keys.join(', ')} is a group of its own` : undefined;
  return [{ kind: 'group-by', patches: [place], because: fault.text, guess }];
}

/** What an item is to be grouped by: itself, where it reads a column and aggregates nothing, else its bare columns. */
function keysOf(item: SqlNode): readonly SqlNode[] {
  const bare = bareColumns(item);
  return holdsAggregate(item) || bare.length === 0 ? bare : [item];
}

function bareColumns(node: SqlNode): readonly SqlNode[] {
  if (isAggregateCall(node) || node.type === 'Select') return [];
  return node.type === 'Column' ? [node] : node.children.flatMap(bareColumns);
}

function holdsAggregate(node: SqlNode): boolean {
  return node.type !== 'Select' && (isAggregateCall(node) || node.children.some(holdsAggregate));
}

function newGroup(select: SqlNode, keys: readonly string[]): Patch | undefined {
  const from = child(select, 'from');
  if (from === undefined || keys.length === 0) return undefined;
  const before = [from, ...childrenIn(select, 'joins'), ...childrenIn(select, 'where')];
  const end = Math.max(...before.map((part) => part.end));
  return { span: { start: end, end }, text: ` GROUP BY ${[...new Set(keys)].join(', ')}` };
}

const SETS_OF_GROUPS: ReadonlySet<string> = new Set(['Rollup', 'Cube', 'GroupingSets']);

function moreGroups(
  group: SqlNode,
  keys: readonly string[],
  written: (node: SqlNode) => string,
): Patch | undefined {
  // Sets of groups are made on purpose: another key would change every one of them.
  if (group.flags.all !== undefined || group.children.some(({ type }) => SETS_OF_GROUPS.has(type)))
    return undefined;
  const known = new Set(group.children.map((key) => written(key).toLowerCase()));
  const more = [...new Set(keys)].filter((key) => !known.has(key.toLowerCase()));
  if (more.length === 0) return undefined;
  return { span: { start: group.end, end: group.end }, text: `, ${more.join(', ')}` };
}

/** `= (SELECT …)` of several rows: any of them. What is compared in another way is for the question to say. */
export function amongRows({ node, fault, query }: Ailing): readonly Remedy[] {
  const equality = node.parent;
  const [left, right] = equality?.children ?? [];
  if (equality?.type !== 'EQ' || left === undefined || right === undefined) return [];
  // Turned round, "any of them" would be "none of them".
  if (!isCondition(equality)) return [];
  const select = child(node, 'this');
  // MariaDB and MySQL take no LIMIT inside of IN.
  if (query.tree.dialect === 'mysql' && select !== undefined && child(select, 'limit')) return [];
  const other = left === node ? right : left;
  if (other.type === 'Subquery') return [];
  const written = ({ start, end }: SqlNode) => query.tree.text.slice(start, end);
  const text = `${written(other)} IN ${written(node)}`;
  const span = { start: equality.start, end: equality.end };
  return [{ kind: 'clause', patches: [{ span, text }], because: `${fault.text}; IN takes any of them` }];
}

/** A condition on an aggregate goes behind GROUP BY, where there is one and it reads nothing of single rows beside. */
export function afterGrouping({ node, fault, query }: Ailing): readonly Remedy[] {
  const where = ancestor(node, ({ type }) => type === 'Where');
  const select = where?.parent;
  const group = select && child(select, 'group');
  const whole = where && child(where, 'this');
  if (select === undefined || group === undefined || where === undefined || whole === undefined) return [];
  const having = child(select, 'having');
  const [moved, kept] = [true, false].map((is) => andedIn(whole).filter((one) => holdsAggregate(one) === is));
  const { isGrouped, isInAggregate } = readSelects(query);
  const ofRows = (moved ?? []).flatMap((one) => [...walk(one)]).filter(({ type }) => type === 'Column');
  if (!ofRows.every((column) => isInAggregate(column) || isGrouped(column))) return [];
  const joined = (ones: readonly SqlNode[] = []) =>
    ones.map((one) => conditionText(one, query.tree)).join(' AND ');
  const rest = joined(kept);
  // Without the space before it, too.
  const start = query.tree.text.slice(0, where.start).trimEnd().length;
  const taken: Patch = { span: { start, end: where.end }, text: rest === '' ? '' : ` WHERE ${rest}` };
  const own = having === undefined ? [] : andedIn(child(having, 'this') ?? having);
  const span = having ?? { start: group.end, end: group.end };
  const text = `${having === undefined ? ' ' : ''}HAVING ${joined([...own, ...(moved ?? [])])}`;
  const patches = [taken, { span: { start: span.start, end: span.end }, text }];
  return [{ kind: 'clause', patches, because: `${fault.text}; HAVING looks at groups` }];
}
