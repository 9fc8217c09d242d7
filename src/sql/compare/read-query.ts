/** Queries in canonical form: SELECT, set operations, VALUES, brackets. */
import { child, type SqlNode } from '../tree/node.ts';
import type { Keying } from './keying.ts';
import { flagsKey } from './name-keys.ts';
import { type NamedItem, openNames } from './names.ts';
import type { NormalQuery, NormalSet, Part } from './normal-form.ts';
import { readCtes } from './read-ctes.ts';
import { readEnd } from './read-end.ts';
import { readSelect } from './read-select.ts';
import { unreadKey } from './unread-key.ts';
import { withKey } from './with-key.ts';

export function readQuery(keying: Keying, node: SqlNode): NormalQuery {
  switch (node.type) {
    case 'Select':
      return readSelect(keying, node);
    case 'Subquery':
      return readBrackets(keying, node);
    case 'Union':
    case 'Intersect':
    case 'Except':
      return readSet(keying, node);
    default:
      return readOther(keying, node);
  }
}

/** Brackets around a query say nothing, unless a WITH, an ORDER BY or LIMIT stands outside of them. */
function readBrackets(keying: Keying, node: SqlNode): NormalQuery {
  const inner = child(node, 'this');
  if (inner === undefined) return readOther(keying, node);
  const isPlain = node.children.every(({ role }) => !ENDS.has(role));
  return isPlain ? readQuery(keying, inner) : finishSet(keying, node, { operator: '', branches: [inner] });
}

const ENDS: ReadonlySet<string> = new Set(['with', 'order', 'limit', 'offset']);

/** Operators whose operands may change places, and whose chains are one list. */
const FREE: ReadonlySet<string> = new Set(['union', 'union all', 'intersect', 'intersect all']);

function readSet(keying: Keying, node: SqlNode): NormalQuery {
  const operator = operatorOf(node);
  const branches = FREE.has(operator) ? branchesOf(node, operator) : operandsOf(node);
  return finishSet(keying, node, { operator, branches });
}

function operatorOf({ type, flags, children }: SqlNode): string {
  const all = flags.all === undefined ? '' : ' all';
  const columns = children
    .filter(({ role }) => role === 'using')
    .map(({ value = '' }) => value.toLowerCase());
  const names = flags.byName === undefined ? '' : ` by name ${flags.byName} ${columns.join(',')}`;
  return `${type.toLowerCase()}${all}${names}`;
}

function operandsOf(node: SqlNode): readonly SqlNode[] {
  return node.children.filter(({ role }) => role === 'this' || role === 'expression');
}

/** A chain of a thousand links is as deep, hence the loop. */
function branchesOf(node: SqlNode, operator: string): readonly SqlNode[] {
  const branches: SqlNode[] = [];
  const open = [...operandsOf(node)].reverse();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const isLink = SETS.has(at.type) && operatorOf(at) === operator && at.children.length === 2;
    if (isLink) open.push(...[...operandsOf(at)].reverse());
    else branches.push(at);
  }
  return branches;
}

const SETS: ReadonlySet<string> = new Set(['Union', 'Intersect', 'Except']);

interface Branches {
  readonly operator: string;
  readonly branches: readonly SqlNode[];
}

function finishSet(outer: Keying, node: SqlNode, { operator, branches }: Branches): NormalSet {
  const { keying, ctes } = readCtes(outer, child(node, 'with'));
  const queries = branches.map((branch) => readQuery(keying, branch));
  const names = openNames(keying.names);
  const items = shownItems(queries[0]);
  for (const item of items) if (item.name !== undefined) names.items.set(item.name, item);
  const inner: Keying = { ...keying, names, clause: 'outputs', found: [] };
  const end = readEnd(inner, node, items);
  const keys = queries.map(({ key }) => `(${key})`);
  if (FREE.has(operator)) keys.sort();
  const key = `${withKey(ctes)}${keys.join(` ${operator} `)}${end.key}`;
  return {
    kind: 'set',
    node,
    ctes,
    operator,
    branches: queries,
    ...end,
    key: keying.fold(key),
    subqueries: inner.found,
  };
}

/** What the first branch shows; the whole goes by its names. */
function shownItems(query: NormalQuery | undefined): readonly (NamedItem & { name: string | undefined })[] {
  if (query?.kind === 'select') return query.items;
  return query?.kind === 'set' ? shownItems(query.branches[0]) : [];
}

/** VALUES, PIVOT as a statement, and statements that are no query, which have no parts. */
function readOther(outer: Keying, node: SqlNode): NormalQuery {
  const { keying, ctes } = readCtes(outer, child(node, 'with'));
  const inner: Keying = { ...keying, names: openNames(keying.names), found: [] };
  const isValues = node.type === 'Values';
  const parts = node.children.filter(({ role }) => (isValues ? role === 'expressions' : role !== 'with'));
  const rows: readonly Part[] = parts.map((row) => ({ key: keying.keyOf(inner, row), node: row }));
  const end = readEnd(inner, isValues ? node : undefined, []);
  const words =
    node.type === 'Command' ? unreadKey(keying, node) : `${node.type.toLowerCase()}${flagsKey(node)} `;
  const key = keying.fold(`${withKey(ctes)}${words}${rows.map((row) => row.key).join(', ')}${end.key}`);
  return { kind: 'other', node, ctes, rows, ...end, key, subqueries: inner.found };
}
