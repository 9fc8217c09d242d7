import type {
  NormalOptions,
  NormalOther,
  NormalQuery,
  NormalSelect,
  NormalSet,
  Part,
} from '../normal/normal-form.ts';
import { type Keyed, normaliseWith } from '../normal/normalise.ts';
import { operandsOf } from '../normal/query-nodes.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';

/**
 * How alike two queries are, from 0 to 1: S_ast of BAR-SQL (equation 11), the F1 of their components as multisets,
 * 2·|A ∩ B| / (|A| + |B|). It is 1 for queries that differ only in spelling. As a measure of bags it may be 1 for
 * others too: two branches of a UNION that swap their conditions. `normalKey` tells those apart.
 */
export function similarity(a: SqlTree, b: SqlTree, options: ComponentOptions = {}): number {
  return componentOverlap(components(a, options), components(b, options));
}

/** The same for components at hand, as when one query is compared with many. */
export function componentOverlap(a: readonly Component[], b: readonly Component[]): number {
  const left = new Map<string, number>();
  let total = 0;
  for (const { text, weight } of a) {
    left.set(text, (left.get(text) ?? 0) + weight);
    total += weight;
  }
  let shared = 0;
  for (const { text, weight } of b) {
    const rest = left.get(text) ?? 0;
    const taken = Math.min(rest, weight);
    if (taken > 0) left.set(text, rest - taken);
    shared += taken;
    total += weight;
  }
  return total === 0 ? 1 : (2 * shared) / total;
}

/** A query as a bag of small parts, each tagged with its clause: what the structural reward of BAR-SQL compares. */
export interface Component {
  /** `where:t.x = 1`; `sub:where:…` in a subquery, `cte:1/where:…` in a common table expression. */
  readonly text: string;
  /** 1, and ½ for a member of an OR, which counts beside the whole. */
  readonly weight: number;
  readonly node: SqlNode;
}

export interface ComponentOptions extends NormalOptions {
  /** An OR counts as a whole only. */
  readonly keepsOrs?: boolean;
}

/**
 * `SELECT a FROM t WHERE x = 1` has `sel:t.a`, `from:t`, `where:t.x = 1`. Tags after BAR-SQL, equation 11: sel,
 * distinct, from, join, on, where, grp, hav, ord, lim, cte, set, sub; and qual, row, other for what it does not name.
 * A table of an inner join is `from:`, since the join adds it to FROM and its condition is `on:`; `join:` is for the
 * joins that change the result (`join:left:t`), and for all of them with the option `keepsJoins`. A subquery is `(sub)`
 * where it stands and its own parts are components too, so that one wrong value inside costs one component.
 */
export function components(tree: SqlTree, options: ComponentOptions = {}): readonly Component[] {
  const keyed = normaliseWith(tree, options, (key) => key);
  const list: Component[] = [];
  addQuery({ list, keyed, options, path: '' }, keyed.form.query);
  return list;
}

interface Bag {
  readonly list: Component[];
  readonly keyed: Keyed;
  readonly options: ComponentOptions;
  readonly path: string;
}

function addQuery(bag: Bag, query: NormalQuery): void {
  query.ctes.forEach((cte, index) => {
    addQuery({ ...bag, path: `${bag.path}cte:${index + 1}/` }, cte.query);
  });
  if (query.kind === 'select') addSelect(bag, query);
  else if (query.kind === 'set') addSet(bag, query);
  else addOther(bag, query);
  addEnd(bag, query);
  const below = { ...bag, path: `${bag.path}sub:` };
  for (const subquery of query.subqueries) addQuery(below, subquery);
}

function addSelect(bag: Bag, query: NormalSelect): void {
  const { as } = query.node.flags;
  if (as !== undefined) add(bag, { text: `other:as ${as.toLowerCase()}`, node: query.node });
  if (query.distinct !== undefined) {
    const { key, node } = query.distinct;
    add(bag, { text: `distinct${key && `:${key}`}`, node });
  }
  addParts(bag, query.items, { tag: 'sel', query });
  addSources(bag, query);
  addParts(bag, query.on, { tag: 'on', query });
  addParts(bag, query.where, { tag: 'where', query });
  addParts(bag, query.group, { tag: 'grp', query });
  addParts(bag, query.having, { tag: 'hav', query });
  addParts(bag, query.qualify, { tag: 'qual', query });
  addParts(bag, query.others, { tag: 'other', query });
}

function addSources(bag: Bag, query: NormalSelect): void {
  const below = { ...bag, path: `${bag.path}sub:` };
  query.sources.forEach((source, index) => {
    const isPlain = source.join === 'inner' && (index === 0 || bag.options.keepsJoins !== true);
    const text = source.query === undefined ? source.key : source.key.replace(source.query.key, 'sub');
    const tag = isPlain ? 'from' : `join:${source.join}`;
    add(bag, { text: `${tag}:${text}`, node: source.node });
    addParts(bag, source.on, { tag: 'on', query });
    if (source.query !== undefined) addQuery(below, source.query);
  });
}

/** What the right side of EXCEPT takes away is no part of the left. */
function addSet(bag: Bag, query: NormalSet): void {
  const isOrdered = query.operator.startsWith('except');
  query.branches.forEach((branch, index) => {
    if (index > 0) add(bag, { text: `set:${query.operator}`, node: query.node });
    addQuery(index > 0 && isOrdered ? { ...bag, path: `${bag.path}set:${query.operator}/` } : bag, branch);
  });
}

function addOther(bag: Bag, query: NormalOther): void {
  if (query.rows.length === 0) add(bag, { text: `other:${query.key}`, node: query.node });
  else addParts(bag, query.rows, { tag: query.node.type === 'Values' ? 'row' : 'other', query });
}

function addEnd(bag: Bag, query: NormalQuery): void {
  const { order, limit, offset } = query;
  order.forEach(({ key, direction, node }, index) => {
    add(bag, { text: `ord:${outline(key, query)}:${direction.trim() || 'asc'}:${index + 1}`, node });
  });
  if (limit !== undefined) add(bag, { text: `lim:${outline(limit.key, query)}`, node: limit.node });
  if (offset !== undefined) add(bag, { text: `lim:offset ${outline(offset.key, query)}`, node: offset.node });
}

interface Clause {
  readonly tag: string;
  readonly query: NormalQuery;
}

function addParts(bag: Bag, parts: readonly Part[], { tag, query }: Clause): void {
  for (const { key, node } of parts) {
    add(bag, { text: `${tag}:${outline(key, query)}`, node });
    if (node.type !== 'Or' || bag.options.keepsOrs === true) continue;
    for (const member of operandsOf(node)) {
      const memberKey = bag.keyed.keys[member.id] ?? '';
      add(bag, { text: `${tag}:${outline(memberKey, query)}`, node: member, weight: 0.5 });
    }
  }
}

/** A key with its subqueries left out. */
function outline(key: string, { subqueries }: NormalQuery): string {
  let text = key;
  for (const subquery of subqueries) text = text.replaceAll(`(${subquery.key})`, '(sub)');
  return text;
}

/** `weight` is 1 where none is given. */
type Found = Omit<Component, 'weight'> & Partial<Component>;

function add({ list, path }: Bag, { text, node, weight = 1 }: Found): void {
  list.push({ text: path + text, weight, node });
}
