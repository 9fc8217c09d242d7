/** One SELECT in canonical form. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import type { Role } from '../tree/node-types.ts';
import { conjuncts } from './conjuncts.ts';
import type { Keying } from './keying.ts';
import { openNames } from './names.ts';
import type { ItemPart, NormalSelect, Part } from './normal-form.ts';
import { readCtes } from './read-ctes.ts';
import { type End, readEnd } from './read-end.ts';
import { readSources } from './read-sources.ts';
import { selectKey } from './select-key.ts';
import { spreadConditions } from './spread-conditions.ts';
import { termKey } from './term-key.ts';

export function readSelect(outer: Keying, node: SqlNode): NormalSelect {
  const { keying, ctes } = readCtes(outer, child(node, 'with'));
  const inner: Keying = { ...keying, names: openNames(keying.names), found: [] };
  const { sources, on } = readSources({ ...inner, clause: 'on' }, node);
  const items = readItems({ ...inner, clause: 'select' }, node);
  const where = readClause({ ...inner, clause: 'where' }, node, 'where');
  const group = readGroup({ ...inner, clause: 'group' }, node, items);
  const having = readClause({ ...inner, clause: 'having' }, node, 'having');
  const qualify = readClause({ ...inner, clause: 'qualify' }, node, 'qualify');
  const end: End = readEnd({ ...inner, clause: 'order' }, node, items);
  const parts = {
    node,
    ctes,
    distinct: readDistinct({ ...inner, clause: 'select' }, node),
    items,
    sources,
    ...spreadConditions(inner, { sources, on, where }),
    group,
    having,
    qualify,
    others: readOthers({ ...inner, clause: 'where' }, node),
    ...end,
    subqueries: inner.found,
  };
  return { kind: 'select', ...parts, key: keying.fold(selectKey(parts, end.key, keying.options)) };
}

function readDistinct(keying: Keying, select: SqlNode): Part | undefined {
  const node = child(select, 'distinct');
  if (node === undefined) return undefined;
  const on = child(node, 'on');
  return { key: on === undefined ? '' : `on ${keying.keyOf(keying, on)}`, node };
}

/** Items in order; each may name those before it where the dialect allows that. */
function readItems(keying: Keying, select: SqlNode): readonly ItemPart[] {
  return childrenIn(select, 'expressions').map((node) => {
    const alias = node.type === 'Alias' ? child(node, 'alias')?.value?.toLowerCase() : undefined;
    const value = alias === undefined ? node : (child(node, 'this') ?? node);
    const valueKey = keying.keyOf(keying, value);
    if (alias !== undefined) keying.names.items.set(alias, { key: valueKey, node: value });
    return { key: keying.keyOf(keying, node), node, name: alias ?? columnName(value) };
  });
}

function columnName(node: SqlNode): string | undefined {
  return node.type === 'Column' ? child(node, 'this')?.value?.toLowerCase() : undefined;
}

function readClause(keying: Keying, select: SqlNode, role: Role): readonly Part[] {
  const clause = child(select, role);
  const condition = clause && child(clause, 'this');
  return condition === undefined ? [] : conjuncts(keying, condition);
}

/** What GROUP BY takes together; the order says nothing. GROUP BY ALL is the key `all`. */
function readGroup(keying: Keying, select: SqlNode, items: readonly ItemPart[]): readonly Part[] {
  const group = child(select, 'group');
  if (group === undefined) return [];
  if (group.flags.all !== undefined) return [{ key: 'all', node: group }];
  return group.children.map((node) => ({ key: termKey(keying, node, items), node }));
}

const OTHERS: readonly Role[] = ['into', 'connect', 'windows', 'sample', 'locks'];

function readOthers(keying: Keying, select: SqlNode): readonly Part[] {
  const nodes = select.children.filter(({ role }) => OTHERS.includes(role));
  return nodes.map((node) => ({ key: keying.keyOf(keying, node), node }));
}
