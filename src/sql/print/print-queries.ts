/** Queries: SELECT, set operations, VALUES, WITH. */
import { ownTokens } from './own-words.ts';
import { printSource } from './print-as-written.ts';
import {
  childOf,
  childrenOf,
  type LayOut,
  listed,
  type Part,
  type PrintableNode,
  type PrintContext,
  requiredChild,
} from './printable.ts';

export const QUERIES: Readonly<Record<string, LayOut>> = {
  Select: printSelect,
  Union: (node, context) => printSetOperation(node, 'UNION', context),
  Intersect: (node, context) => printSetOperation(node, 'INTERSECT', context),
  Except: (node, context) => printSetOperation(node, 'EXCEPT', context),
  Values: (node) => [...withOf(node), 'VALUES ', ...listed(childrenOf(node, 'expressions')), ...endOf(node)],
  With: (node) => [
    node.flags.recursive === undefined ? 'WITH ' : 'WITH RECURSIVE ',
    ...listed(childrenOf(node, 'expressions')),
  ],
  CTE: (node) => {
    const { materialized } = node.flags;
    const word =
      materialized === undefined ? '' : materialized === 'not' ? 'NOT MATERIALIZED ' : 'MATERIALIZED ';
    return [requiredChild(node, 'alias'), ` AS ${word}(`, requiredChild(node, 'this'), ')'];
  },
  Distinct: printDistinct,
};

/** What stands before a comma list, or is repeated before each, by role. */
const LIST_HEADS: Readonly<Partial<Record<string, string>>> = { windows: ' WINDOW ' };
const IN_LIST: ReadonlySet<string> = new Set(['distinct', 'expressions']);

/** The parts stand in the order of the text, so FROM may come first and QUALIFY before WINDOW. */
function printSelect(node: PrintableNode, context: PrintContext): readonly Part[] {
  const parts: Part[] = [...withOf(node)];
  const children = node.children.filter((child) => child.role !== 'with');
  const hasList = children.some(isInList);
  let isListOpen = !hasList && !saysSelect(node, context);
  let previous: PrintableNode | undefined;
  for (const child of children) {
    const isFirst = previous === undefined;
    if (!isListOpen && (isInList(child) || !hasList)) {
      parts.push(isFirst ? 'SELECT' : ' SELECT', ...separatorOf(child, previous, node), child);
      isListOpen = true;
    } else parts.push(...(isFirst ? [] : separatorOf(child, previous, node)), child);
    previous = child;
  }
  return previous === undefined ? [...parts, 'SELECT'] : parts;
}

/** Without a list: `SELECT FROM t` of PostgreSQL says it, DuckDB's `FROM t` and `TABLE t` do not. */
function saysSelect(node: PrintableNode, { source, grammar }: PrintContext): boolean {
  if (source === undefined) return !grammar.duckdbForms;
  return ownTokens(source, node, node.children).some(({ text }) => text.toUpperCase() === 'SELECT');
}

function isInList(child: PrintableNode): boolean {
  return IN_LIST.has(child.role) || child.flags.kind === 'TOP';
}

/** What stands between a part of a SELECT and the one before it. */
function separatorOf(
  child: PrintableNode,
  previous: PrintableNode | undefined,
  select: PrintableNode,
): readonly Part[] {
  if (child.flags.comma !== undefined) return [', '];
  if (child.role === previous?.role && (child.role === 'expressions' || child.role === 'windows'))
    return [', '];
  if (child.role === 'expressions' && select.flags.as !== undefined) return [` AS ${select.flags.as} `];
  return [LIST_HEADS[child.role] ?? ' '];
}

function printDistinct(node: PrintableNode): readonly Part[] {
  const on = childOf(node, 'on');
  if (on !== undefined) return ['DISTINCT ON ', on];
  const values = childrenOf(node, 'expressions');
  return values.length === 0 ? ['DISTINCT'] : ['DISTINCT ', ...listed(values)];
}

function printSetOperation(node: PrintableNode, word: string, { forms }: PrintContext): readonly Part[] {
  const distinct = forms.saysDistinct ? ' DISTINCT' : '';
  const all = node.flags.all === undefined ? distinct : ' ALL';
  const byName = node.flags.byName === undefined ? '' : ' BY NAME';
  return [
    ...withOf(node),
    requiredChild(node, 'this'),
    ` ${word}${all}${byName} `,
    requiredChild(node, 'expression'),
    ...endOf(node),
  ];
}

export function withOf(node: PrintableNode): readonly Part[] {
  const ctes = childOf(node, 'with');
  return ctes === undefined ? [] : [ctes, ' '];
}

const ENDS: ReadonlySet<string> = new Set(['order', 'limit', 'offset', 'locks', 'into']);

/** ORDER BY, LIMIT and the like behind a whole query. */
export function endOf(node: PrintableNode): readonly Part[] {
  return node.children.filter((child) => ENDS.has(child.role)).flatMap((child) => [' ', child]);
}

/** Clauses of a query: WHERE, GROUP BY, ORDER BY, LIMIT, windows, and what does more than read. */
export const CLAUSES: Readonly<Record<string, LayOut>> = {
  Where: (node) => ['WHERE ', requiredChild(node, 'this')],
  Having: (node) => ['HAVING ', requiredChild(node, 'this')],
  Qualify: (node) => ['QUALIFY ', requiredChild(node, 'this')],
  Connect: (node) =>
    node.children.flatMap((child, index) => [
      `${index === 0 ? '' : ' '}${child.role === 'condition' ? 'START WITH' : 'CONNECT BY'} `,
      child,
    ]),
  Group: printGroup,
  Rollup: (node) => printGrouping('ROLLUP', node),
  Cube: (node) => printGrouping('CUBE', node),
  GroupingSets: (node) => ['GROUPING SETS (', ...listed(node.children), ')'],
  Order: (node) => ['ORDER BY ', ...listed(node.children)],
  Ordered: (node) => {
    const { desc, nulls } = node.flags;
    const marks = `${desc === undefined ? '' : ' DESC'}${nulls === undefined ? '' : ` NULLS ${nulls.toUpperCase()}`}`;
    return [requiredChild(node, 'this'), marks];
  },
  Limit: printLimit,
  Offset: (node) => ['OFFSET ', requiredChild(node, 'expression')],
  Fetch: (node) => {
    const count = childOf(node, 'count');
    const percent = node.flags.percent === undefined ? '' : ' PERCENT';
    const end = node.flags.ties === undefined ? 'ONLY' : 'WITH TIES';
    return ['FETCH FIRST', ...(count === undefined ? [] : [' ', count]), `${percent} ROWS ${end}`];
  },
  Window: printWindow,
  WindowSpec: printFrame,
  // The tree keeps too little of these to write them anew.
  Into: printSource,
  Lock: printSource,
  Command: printSource,
  TableColumns: printSource,
  TableColumn: printSource,
};

/** `WITH ROLLUP` at the end has no comma before it. */
function printGroup(node: PrintableNode): readonly Part[] {
  if (node.flags.all !== undefined) return ['GROUP BY ALL'];
  return node.children.flatMap((child, index) => {
    if (index === 0) return ['GROUP BY ', child];
    return [isTail(child) ? ' ' : ', ', child];
  });
}

function isTail(node: PrintableNode): boolean {
  return (node.type === 'Rollup' || node.type === 'Cube') && node.children.length === 0;
}

function printGrouping(word: string, node: PrintableNode): readonly Part[] {
  return isTail(node) ? [`WITH ${word}`] : [`${word} (`, ...listed(node.children), ')'];
}

/** `LIMIT 10, 5` has its offset first, as the text has. */
function printLimit(node: PrintableNode): readonly Part[] {
  const word = node.flags.kind === 'TOP' ? 'TOP' : 'LIMIT';
  if (node.children.length === 0) return [`${word} ALL`];
  return [`${word} `, ...listed(node.children), node.flags.percent === undefined ? '' : ' PERCENT'];
}

/** `f(x) OVER (…)`, `f(x) OVER w`, and `w AS (…)` in the clause WINDOW. */
function printWindow(node: PrintableNode): readonly Part[] {
  const name = requiredChild(node, 'this');
  const parts = [...specificationOf(node)];
  if (node.role === 'windows') return [name, ' AS (', ...parts, ')'];
  const base = childOf(node, 'alias');
  const isNamed = base !== undefined && node.children.length === 2;
  return isNamed ? [name, ' OVER ', base] : [name, ' OVER (', ...parts, ')'];
}

function* specificationOf(node: PrintableNode): Generator<Part> {
  const base = childOf(node, 'alias');
  const partitions = childrenOf(node, 'partition_by');
  const parts: (readonly Part[])[] = [];
  if (base !== undefined) parts.push([base]);
  if (partitions.length > 0) parts.push(['PARTITION BY ', ...listed(partitions)]);
  for (const role of ['order', 'spec'] as const) {
    const found = childOf(node, role);
    if (found !== undefined) parts.push([found]);
  }
  for (const [index, part] of parts.entries()) {
    if (index > 0) yield ' ';
    yield* part;
  }
}

/** `ROWS BETWEEN 3 PRECEDING AND CURRENT ROW EXCLUDE TIES`. */
function printFrame(node: PrintableNode): readonly Part[] {
  const { kind = 'ROWS', from = '', to, exclude } = node.flags;
  const first = boundOf(childOf(node, 'from'), from);
  const bounds =
    to === undefined ? first : ['BETWEEN ', ...first, ' AND ', ...boundOf(childOf(node, 'to'), to)];
  return [`${kind} `, ...bounds, exclude === undefined ? '' : ` EXCLUDE ${exclude}`];
}

function boundOf(amount: PrintableNode | undefined, words: string): readonly Part[] {
  return amount === undefined ? [words] : [amount, ` ${words}`];
}
