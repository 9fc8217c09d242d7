/** SQL fragments of foreign files: the columns they name, and a few shapes that have a place of their own with us. */
import { DIALECTS as DIALECTS_OF_ENGINES, inQuotes } from '../../../sql/dialects/index.ts';
import { type DialectName, parse } from '../../../sql/index.ts';
import { type Patch, patchText } from '../../../sql/rewrite/index.ts';
import { type SqlNode, type SqlTree, textOf, walk } from '../../../sql/tree/index.ts';

/** A fragment does not say its dialect; the first that can read it does. */
const DIALECTS: readonly DialectName[] = ['snowflake', 'duckdb', 'bigquery', 'postgres', 'mysql'];
const AGGREGATES = new Set([
  'ANY_VALUE',
  'APPROX_COUNT_DISTINCT',
  'AVG',
  'COUNT',
  'MAX',
  'MEDIAN',
  'MIN',
  'STDDEV',
  'SUM',
  'VARIANCE',
]);
const BEFORE = 'SELECT (';

interface Fragment {
  readonly tree: SqlTree;
  /** The expression inside the brackets that are put around it. */
  readonly root: SqlNode;
}

/** One column as a fragment names it. */
export interface ColumnName {
  /** `['orders', 'amount']`, without quotes. */
  readonly parts: readonly string[];
}

/** The columns of a fragment; `undefined` when it is no single expression or holds a query of its own. */
export function columnsIn(sql: string): readonly ColumnName[] | undefined {
  const fragment = readFragment(sql);
  return fragment && columnNodes(fragment).map((node) => ({ parts: partsOf(node) }));
}

/**
 * The fragment with every column renamed; `rename` gives the new text, or `undefined` to give up. All else stays as
 * it was written. `undefined` when the fragment is no single expression.
 */
export function rewriteColumns(
  sql: string,
  rename: (parts: readonly string[]) => string | undefined,
): string | undefined {
  const fragment = readFragment(sql);
  if (fragment === undefined) return undefined;
  const patches: Patch[] = [];
  for (const node of columnNodes(fragment)) {
    const text = rename(partsOf(node));
    if (text === undefined) return undefined;
    patches.push({ span: node, text });
  }
  return unwrap(patchText(fragment.tree.text, patches));
}

/** `a / b` and `a / NULLIF(b, 0)`, with whatever a and b are. */
export function ratioIn(
  sql: string,
): { readonly numerator: string; readonly denominator: string } | undefined {
  const fragment = readFragment(sql);
  if (fragment === undefined || !['Div', 'SafeDivide'].includes(fragment.root.type)) return undefined;
  const [left, right] = fragment.root.children;
  if (left === undefined || right === undefined) return undefined;
  const [inner, zero] = right.type === 'Nullif' ? right.children : [];
  const below = inner !== undefined && zero?.value === '0' ? inner : right;
  return { numerator: textOf(fragment.tree, left), denominator: textOf(fragment.tree, below) };
}

/** `column = literal`. */
export function equalityIn(
  sql: string,
): { readonly parts: readonly string[]; readonly value: string | number } | undefined {
  const fragment = readFragment(sql);
  if (fragment?.root.type !== 'EQ') return undefined;
  const [left, right] = fragment.root.children;
  if (left?.type !== 'Column' || right?.type !== 'Literal' || right.value === undefined) return undefined;
  if (right.flags.string !== undefined) return { parts: partsOf(left), value: right.value };
  const number = Number(right.value);
  return Number.isFinite(number) && String(number) === right.value
    ? { parts: partsOf(left), value: number }
    : undefined;
}

/** Pairs of columns of `a.x = b.y AND a.z = b.w`; `undefined` for every other condition. */
export function equalColumnsIn(
  sql: string,
): readonly (readonly [left: readonly string[], right: readonly string[]])[] | undefined {
  const fragment = readFragment(sql);
  if (fragment === undefined) return undefined;
  const pairs: (readonly [readonly string[], readonly string[]])[] = [];
  const open: SqlNode[] = [fragment.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const [left, right] = node.children;
    if (node.type === 'Paren' && left !== undefined) open.push(left);
    else if (node.type === 'And' && left !== undefined && right !== undefined) open.push(right, left);
    else if (node.type === 'EQ' && left?.type === 'Column' && right?.type === 'Column')
      pairs.push([partsOf(left), partsOf(right)]);
    else return undefined;
  }
  return pairs;
}

/** Whether the fragment is one expression that some dialect of ours can read. */
export function isExpression(sql: string): boolean {
  return readFragment(sql) !== undefined;
}

/** Whether the fragment aggregates: `SUM(x) / 2` does, `ROUND(x)` does not. */
export function isAggregate(sql: string): boolean {
  const fragment = readFragment(sql);
  return fragment !== undefined && [...walk(fragment.root)].some(isAggregateNode);
}

/**
 * The aggregate over the rows that meet conditions, for formats whose metrics have none of their own:
 * `SUM(x)` becomes `SUM(CASE WHEN … THEN x END)`. `undefined` when the fragment is not made of plain aggregates.
 */
export function withFilters(sql: string, filters: readonly string[]): string | undefined {
  if (filters.length === 0) return sql;
  const fragment = readFragment(sql);
  if (fragment === undefined) return undefined;
  const condition = filters.map((filter) => (filters.length === 1 ? filter : `(${filter})`)).join(' AND ');
  const calls = [...walk(fragment.root)].filter(isAggregateNode);
  const patches: Patch[] = [];
  for (const call of calls) {
    const [argument, ...others] = call.children;
    const inner = argument?.type === 'Distinct' ? argument.children : [argument];
    const [node] = inner;
    if (node === undefined || inner.length !== 1 || others.length > 0) return undefined;
    const value = node.type === 'Star' ? '1' : textOf(fragment.tree, node);
    patches.push({ span: node, text: `CASE WHEN ${condition} THEN ${value} END` });
  }
  return calls.length === 0 ? undefined : unwrap(patchText(fragment.tree.text, patches));
}

/** The fragment with its columns named alone, as expressions inside a logical table name them. */
export function localSql(sql: string): string {
  return rewriteColumns(sql, (parts) => columnText(parts.at(-1) ?? '')) ?? sql;
}

/** `table.column` with quotes where a name needs them. */
export function columnText(...parts: readonly string[]): string {
  return parts.map(nameText).join('.');
}

function nameText(name: string): string {
  const isPlain = /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name.toLowerCase());
  return isPlain ? name : inQuotes(name, '"');
}

/** Words that no dialect takes for a column without quotes. */
const RESERVED: ReadonlySet<string> = new Set(
  [...DIALECTS_OF_ENGINES.snowflake.reserved].map((word) => word.toLowerCase()),
);

function readFragment(sql: string): Fragment | undefined {
  for (const dialect of DIALECTS) {
    const parsed = parse(`${BEFORE}${sql}\n)`, dialect);
    if (!parsed.ok) continue;
    const { tree } = parsed;
    const [paren, ...others] = tree.root.children;
    const root = paren?.children[0];
    // A fragment that closes the bracket ("1) FROM x …") makes more than one expression in brackets.
    if (tree.root.type !== 'Select' || paren?.type !== 'Paren' || others.length > 0) continue;
    if (root === undefined || paren.end !== tree.text.length) continue;
    if (tree.tokens.some(({ kind }) => kind === 'comment')) continue;
    const holdsQuery = [...walk(root)].some(({ type }) => ['Select', 'Lambda', 'Let'].includes(type));
    return holdsQuery ? undefined : { tree, root };
  }
  return undefined;
}

function unwrap(text: string): string {
  return text.slice(BEFORE.length, -2);
}

function columnNodes({ root }: Fragment): SqlNode[] {
  return [...walk(root)].filter(
    ({ type, children }) => type === 'Column' && children.at(-1)?.type === 'Identifier',
  );
}

function partsOf(node: SqlNode): readonly string[] {
  return node.children.map(({ value = '' }) => value);
}

function isAggregateNode({ value, flags }: SqlNode): boolean {
  return flags.call !== undefined && AGGREGATES.has(value?.toUpperCase() ?? '');
}
