/** Queries in canonical form: SELECT, set operations, VALUES, brackets. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import type { Role } from '../tree/node-types.ts';
import { flagsKey } from './name-keys.ts';
import {
  findOwner,
  findSource,
  type NamedItem,
  openNames,
  outputsOf,
  renamed,
  type Source,
} from './names.ts';
import type {
  ItemPart,
  NormalCte,
  NormalOptions,
  NormalQuery,
  NormalSelect,
  NormalSet,
  Part,
  SourcePart,
} from './normal-form.ts';
import { type End, readEnd, termKey } from './read-end.ts';
import { readSources } from './read-sources.ts';
import { type CteName, conjuncts, type Keying, unreadKey } from './scalar-keys.ts';

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
  const branches = FREE.has(operator) ? branchesOf(node, operator) : setOperands(node);
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

function setOperands(node: SqlNode): readonly SqlNode[] {
  return node.children.filter(({ role }) => role === 'this' || role === 'expression');
}

/** A chain of a thousand links is as deep, hence the loop. */
function branchesOf(node: SqlNode, operator: string): readonly SqlNode[] {
  const branches: SqlNode[] = [];
  const open = [...setOperands(node)].reverse();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const isLink = SETS.has(at.type) && operatorOf(at) === operator && at.children.length === 2;
    if (isLink) open.push(...[...setOperands(at)].reverse());
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

/** One SELECT in canonical form. */
function readSelect(outer: Keying, node: SqlNode): NormalSelect {
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

// The key of a SELECT, from its parts.

type SelectParts = Omit<NormalSelect, 'kind' | 'key' | 'order' | 'limit' | 'offset'>;

function selectKey(parts: SelectParts, end: string, options: NormalOptions): string {
  const { distinct, items } = parts;
  return [
    withKey(parts.ctes),
    'select ',
    parts.node.flags.as === undefined ? '' : `as ${parts.node.flags.as.toLowerCase()} `,
    distinct === undefined ? '' : `distinct${distinct.key && ` ${distinct.key}`} `,
    items.map(({ key }) => key).join(', '),
    fromKey(parts, options),
    clause(' where ', sortedKeys(parts.where), ' and '),
    clause(' group by ', sortedKeys(parts.group), ', '),
    clause(' having ', sortedKeys(parts.having), ' and '),
    clause(' qualify ', sortedKeys(parts.qualify), ' and '),
    clause(' ', sortedKeys(parts.others), ' '),
    end,
  ].join('');
}

function sortedKeys(parts: readonly Part[]): readonly string[] {
  return parts.map(({ key }) => key).sort();
}

/** Conditions are bracketed, so that an OR among them keeps its bounds. */
function clause(word: string, keys: readonly string[], separator: string): string {
  if (keys.length === 0) return '';
  return word + (separator === ' and ' ? keys.map((key) => `[${key}]`) : keys).join(separator);
}

/** The relations that only inner joins bring in are a set, as are their conditions; the others keep their order. */
function fromKey({ sources, on }: SelectParts, { keepsJoins }: NormalOptions): string {
  if (sources.length === 0) return '';
  const firstOuter = sources.findIndex(({ join }) => join !== 'inner');
  const end = firstOuter === -1 ? sources.length : firstOuter;
  const inner =
    keepsJoins === true ? sources.slice(0, end).map(({ key }) => key) : sortedKeys(sources.slice(0, end));
  const outer = sources.slice(end).map(joinKey).join('');
  return ` from ${inner.join(', ')}${outer}${clause(' on ', sortedKeys(on), ' and ')}`;
}

function joinKey({ join, key, on }: SourcePart): string {
  return ` ${join} join ${key}${clause(' on ', sortedKeys(on), ' and ')}`;
}

/** What WITH puts before the key of a query. */
function withKey(ctes: readonly NormalCte[]): string {
  if (ctes.length === 0) return '';
  return `with ${ctes.map(({ label, query }) => `${label} as (${query.key})`).join(', ')} `;
}

/** WITH: its queries, and the names they may be called by further on. */
interface CtesRead {
  readonly ctes: readonly NormalCte[];
  /** With their names added. */
  readonly keying: Keying;
}

function readCtes(outer: Keying, clause: SqlNode | undefined): CtesRead {
  if (clause === undefined) return { ctes: [], keying: outer };
  const names = new Map<string, CteName>(outer.ctes);
  const isRecursive = clause.flags.recursive !== undefined || !outer.rules.recursionNeedsKeyword;
  const ctes: NormalCte[] = [];
  for (const node of childrenIn(clause, 'expressions')) {
    const alias = child(node, 'alias');
    const body = child(node, 'this');
    const name = alias && child(alias, 'this')?.value?.toLowerCase();
    if (alias === undefined || body === undefined || name === undefined) continue;
    // Numbered through all that are seen here, so that an inner WITH never reuses the number of an outer one.
    const label = `$${outer.ctes.size + ctes.length + 1}`;
    const own = isRecursive ? new Map(names).set(name, { label, outputs: undefined }) : names;
    const query = outer.readQuery({ ...outer, ctes: own }, body);
    names.set(name, { label, outputs: renamed(outputsOf(query), alias) });
    ctes.push({ node, label, query });
  }
  return { ctes, keying: { ...outer, ctes: names } };
}

// Conditions in the clause they belong to: what links two tables to ON, what filters to WHERE.

interface Conditions {
  readonly sources: readonly SourcePart[];
  readonly on: readonly Part[];
  readonly where: readonly Part[];
}

/**
 * `FROM a, b WHERE a.x = b.x` is `FROM a JOIN b ON a.x = b.x`: for inner joins ON and WHERE are one filter. After a
 * right or full join they are not, so there everything stays as written.
 */
function spreadConditions(
  { names, options }: Keying,
  { sources, on, where }: Conditions,
): Pick<Conditions, 'on' | 'where'> {
  const isMixed = sources.some(({ join }) => /right|full/.test(join));
  if (options.keepsJoins === true || isMixed || sources.length < 2) return { on, where };
  const linksNames = (node: SqlNode): boolean => {
    const [left, right] = node.type === 'EQ' ? node.children.map((side) => ownerOf(side)) : [];
    return left !== undefined && right !== undefined && left !== right && left.isInner && right.isInner;
  };
  const ownerOf = (side: SqlNode): Source | undefined => {
    if (side.type !== 'Column') return undefined;
    const qualifier = child(side, 'table')?.value?.toLowerCase();
    const name = child(side, 'this')?.value?.toLowerCase() ?? '';
    const found = qualifier === undefined ? findOwner(names, name) : findSource(names, qualifier);
    return found?.distance === 0 ? found.source : undefined;
  };
  const staysOn = ({ node }: Part) => isColumnPair(node);
  const moves = ({ node }: Part) => linksNames(node);
  return {
    on: [...on.filter(staysOn), ...where.filter(moves)],
    where: [...where.filter((part) => !moves(part)), ...on.filter((part) => !staysOn(part))],
  };
}

/** Equal columns, and USING, which is an Identifier here. */
function isColumnPair(node: SqlNode): boolean {
  if (node.type === 'Identifier') return true;
  return node.type === 'EQ' && node.children.every(({ type }) => type === 'Column');
}
