/** Clauses of a query: WHERE, GROUP BY, ORDER BY, LIMIT, windows, and what does more than read. */
import { layOutAsWritten } from './lay-out-as-written.ts';
import {
  childOf,
  childrenOf,
  type LayOut,
  listed,
  type Part,
  type PrintableNode,
  requiredChild,
} from './printable.ts';

export const CLAUSES: Readonly<Record<string, LayOut>> = {
  Where: (node) => ['WHERE ', requiredChild(node, 'this')],
  Having: (node) => ['HAVING ', requiredChild(node, 'this')],
  Qualify: (node) => ['QUALIFY ', requiredChild(node, 'this')],
  Connect: (node) =>
    node.children.flatMap((child, index) => [
      `${index === 0 ? '' : ' '}${child.role === 'condition' ? 'START WITH' : 'CONNECT BY'} `,
      child,
    ]),
  Group: layOutGroup,
  Rollup: (node) => layOutGrouping('ROLLUP', node),
  Cube: (node) => layOutGrouping('CUBE', node),
  GroupingSets: (node) => ['GROUPING SETS (', ...listed(node.children), ')'],
  Order: (node) => ['ORDER BY ', ...listed(node.children)],
  Ordered: (node) => {
    const { desc, nulls } = node.flags;
    const marks = `${desc === undefined ? '' : ' DESC'}${nulls === undefined ? '' : ` NULLS ${nulls.toUpperCase()}`}`;
    return [requiredChild(node, 'this'), marks];
  },
  Limit: layOutLimit,
  Offset: (node) => ['OFFSET ', requiredChild(node, 'expression')],
  Fetch: (node) => {
    const count = childOf(node, 'count');
    const percent = node.flags.percent === undefined ? '' : ' PERCENT';
    const end = node.flags.ties === undefined ? 'ONLY' : 'WITH TIES';
    return ['FETCH FIRST', ...(count === undefined ? [] : [' ', count]), `${percent} ROWS ${end}`];
  },
  Window: layOutWindow,
  WindowSpec: layOutFrame,
  // The tree keeps too little of these to write them anew.
  Into: layOutAsWritten,
  Lock: layOutAsWritten,
  Command: layOutAsWritten,
  TableColumns: layOutAsWritten,
  TableColumn: layOutAsWritten,
};

/** `WITH ROLLUP` at the end has no comma before it. */
function layOutGroup(node: PrintableNode): readonly Part[] {
  if (node.flags.all !== undefined) return ['GROUP BY ALL'];
  return node.children.flatMap((child, index) => {
    if (index === 0) return ['GROUP BY ', child];
    return [isTail(child) ? ' ' : ', ', child];
  });
}

function isTail(node: PrintableNode): boolean {
  return (node.type === 'Rollup' || node.type === 'Cube') && node.children.length === 0;
}

function layOutGrouping(word: string, node: PrintableNode): readonly Part[] {
  return isTail(node) ? [`WITH ${word}`] : [`${word} (`, ...listed(node.children), ')'];
}

/** `LIMIT 10, 5` has its offset first, as the text has. */
function layOutLimit(node: PrintableNode): readonly Part[] {
  const word = node.flags.kind === 'TOP' ? 'TOP' : 'LIMIT';
  if (node.children.length === 0) return [`${word} ALL`];
  return [`${word} `, ...listed(node.children), node.flags.percent === undefined ? '' : ' PERCENT'];
}

/** `f(x) OVER (…)`, `f(x) OVER w`, and `w AS (…)` in the clause WINDOW. */
function layOutWindow(node: PrintableNode): readonly Part[] {
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
function layOutFrame(node: PrintableNode): readonly Part[] {
  const { kind = 'ROWS', from = '', to, exclude } = node.flags;
  const first = boundOf(childOf(node, 'from'), from);
  const bounds =
    to === undefined ? first : ['BETWEEN ', ...first, ' AND ', ...boundOf(childOf(node, 'to'), to)];
  return [`${kind} `, ...bounds, exclude === undefined ? '' : ` EXCLUDE ${exclude}`];
}

function boundOf(amount: PrintableNode | undefined, words: string): readonly Part[] {
  return amount === undefined ? [words] : [amount, ` ${words}`];
}
