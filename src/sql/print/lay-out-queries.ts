/** Queries: SELECT, set operations, VALUES, WITH. */
import { ownTokens } from './own-words.ts';
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
  Select: layOutSelect,
  Union: (node, context) => layOutSetOperation(node, 'UNION', context),
  Intersect: (node, context) => layOutSetOperation(node, 'INTERSECT', context),
  Except: (node, context) => layOutSetOperation(node, 'EXCEPT', context),
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
  Distinct: layOutDistinct,
};

/** What stands before a comma list, or is repeated before each, by role. */
const LIST_HEADS: Readonly<Partial<Record<string, string>>> = { windows: ' WINDOW ' };
const IN_LIST: ReadonlySet<string> = new Set(['distinct', 'expressions']);

/** The parts stand in the order of the text, so FROM may come first and QUALIFY before WINDOW. */
function layOutSelect(node: PrintableNode, context: PrintContext): readonly Part[] {
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

function layOutDistinct(node: PrintableNode): readonly Part[] {
  const on = childOf(node, 'on');
  if (on !== undefined) return ['DISTINCT ON ', on];
  const values = childrenOf(node, 'expressions');
  return values.length === 0 ? ['DISTINCT'] : ['DISTINCT ', ...listed(values)];
}

function layOutSetOperation(node: PrintableNode, word: string, { forms }: PrintContext): readonly Part[] {
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
