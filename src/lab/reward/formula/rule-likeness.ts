/** S_rule of BAR-SQL: four recalls over the names, clauses and literals of two queries. */
import { child, type SqlNode, type SqlTree } from '../../../sql/tree/index.ts';

const WEIGHTS = { tables: 0.3, columns: 0.3, clauses: 0.2, literals: 0.2 } as const;
/** A table whose name is nearly right counts this much. */
const NEAR_NAME_WEIGHT = 0.8;
const LEAST_RATIO = 0.85;

/**
 * 0.3 of the gold's tables + 0.3 of its columns + 0.2 of the clauses of both + 0.2 of the gold's literals, each as the
 * share that the prediction has. What the prediction has too many counts only for clauses.
 */
export function ruleLikeness(gold: SqlTree, predicted: SqlTree): number {
  const [wanted, given] = [featuresOf(gold), featuresOf(predicted)];
  return (
    WEIGHTS.tables * tableRecall(wanted.tables, given.tables) +
    WEIGHTS.columns * recall(wanted.columns, given.columns) +
    WEIGHTS.clauses * overlap(wanted.clauses, given.clauses) +
    WEIGHTS.literals * recall(wanted.literals, given.literals)
  );
}

interface Features {
  readonly tables: ReadonlySet<string>;
  readonly columns: ReadonlySet<string>;
  readonly clauses: ReadonlySet<string>;
  readonly literals: ReadonlySet<string>;
}

const CLAUSES: Readonly<Record<string, string>> = {
  Group: 'group by',
  Limit: 'limit',
  Fetch: 'limit',
  Where: 'where',
  Join: 'join',
  Distinct: 'distinct',
  CTE: 'cte',
};

function featuresOf({ nodes }: SqlTree): Features {
  const features = { tables: new Set<string>(), columns: new Set<string>(), clauses: new Set<string>() };
  const literals = new Set<string>();
  const ctes = new Set(nodes.filter(({ type }) => type === 'CTE').map(nameOfCte));
  for (const node of nodes) {
    const clause = clauseOf(node);
    if (clause !== undefined) features.clauses.add(clause);
    const name = node.type === 'Table' || node.type === 'Column' ? ownName(node) : undefined;
    if (name !== undefined && node.type === 'Column') features.columns.add(name);
    else if (name !== undefined && !ctes.has(name)) features.tables.add(name);
    if (node.type === 'Literal') literals.add(literalOf(node));
  }
  return { ...features, literals };
}

/** The ORDER BY of a window orders no result. */
function clauseOf({ type, parent }: SqlNode): string | undefined {
  if (type === 'Order')
    return parent?.type === 'Window' || parent?.type === 'WindowSpec' ? undefined : 'order by';
  return CLAUSES[type];
}

/** The last part of a dotted name, in lower case; a star and a table function have none. */
function ownName(node: SqlNode): string | undefined {
  const name = child(node, 'this');
  return name?.type === 'Identifier' ? name.value?.toLowerCase() : undefined;
}

function nameOfCte(cte: SqlNode): string {
  const alias = child(cte, 'alias');
  return (alias && ownName(alias)) ?? '';
}

/** `2024`, `2024.0` and `'2024'` are one literal. */
function literalOf({ value = '' }: SqlNode): string {
  const text = value.trim();
  const number = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? String(number) : text.toLowerCase();
}

function tableRecall(wanted: ReadonlySet<string>, given: ReadonlySet<string>): number {
  return share(wanted, (name) => {
    if (given.has(name)) return 1;
    const isNear = [...given].some((other) => spellingRatio(name, other) > LEAST_RATIO);
    return isNear ? NEAR_NAME_WEIGHT : 0;
  });
}

function recall(wanted: ReadonlySet<string>, given: ReadonlySet<string>): number {
  return share(wanted, (name) => (given.has(name) ? 1 : 0));
}

/** An empty set is found whole. */
function share(wanted: ReadonlySet<string>, weigh: (name: string) => number): number {
  if (wanted.size === 0) return 1;
  let sum = 0;
  for (const name of wanted) sum += weigh(name);
  return sum / wanted.size;
}

/** Jaccard: what both have of what either has. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const all = new Set([...a, ...b]);
  if (all.size === 0) return 1;
  return [...a].filter((name) => b.has(name)).length / all.size;
}

/** Longer names are compared by their beginning. */
const MOST_CHARACTERS = 200;

/** 2·L / (|a| + |b|) with L the longest common subsequence, as "fuzzy ratio" of string libraries: 1 for equal texts. */
export function spellingRatio(a: string, b: string): number {
  const [left, right] = [a.slice(0, MOST_CHARACTERS), b.slice(0, MOST_CHARACTERS)];
  if (left === right) return 1;
  return (2 * sharedCharacters(left, right)) / (left.length + right.length);
}

function sharedCharacters(a: string, b: string): number {
  let row = new Uint16Array(b.length + 1);
  for (const character of a) {
    const next = new Uint16Array(b.length + 1);
    for (let at = 1; at <= b.length; at += 1) {
      const isSame = b[at - 1] === character;
      next[at] = isSame ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at - 1] ?? 0);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
