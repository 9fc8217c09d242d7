/** Calls of functions, the ones with a grammar of their own included. */
import {
  childOf,
  childrenOf,
  type LayOut,
  listed,
  type Part,
  type PrintableNode,
  requiredChild,
} from './printable.ts';

/** Types whose call is not `name(a, b)`; given only nodes that are calls. */
export const CALLS: Readonly<Record<string, LayOut>> = {
  Cast: layOutCast,
  TryCast: layOutCast,
  Extract: layOutExtract,
  Trim: layOutTrim,
  MatchAgainst: (node) => [
    `${nameOf(node)}(`,
    ...listed(childrenOf(node, 'expressions')),
    ') AGAINST (',
    requiredChild(node, 'this'),
    ')',
  ],
};

/** `name(DISTINCT a, b ORDER BY c LIMIT 2)`; `CURRENT_DATE` has no brackets. */
export function layOutCall(node: PrintableNode): readonly Part[] {
  if (node.flags.call === 'bare') return [nameOf(node)];
  const values = node.children.filter(isArgument);
  const extras = node.children.filter((child) => !isArgument(child));
  return [
    `${nameOf(node)}(`,
    ...(node.flags.kind === 'SEPARATOR' ? separated(values) : listed(values)),
    ...extras.flatMap((extra, index) => (index === 0 && values.length === 0 ? [extra] : [' ', extra])),
    ...(node.flags.kind === 'SEPARATOR' ? [' SEPARATOR ', ...values.slice(-1)] : []),
    ')',
  ];
}

/** MySQL's GROUP_CONCAT has its separator behind ORDER BY. */
function separated(values: readonly PrintableNode[]): readonly Part[] {
  return listed(values.slice(0, -1));
}

const BEHIND_LIST: ReadonlySet<string> = new Set(['order', 'limit', 'having']);

/** What stands in the list; ORDER BY, LIMIT and columns of another grammar follow it without a comma. */
function isArgument({ role, type }: PrintableNode): boolean {
  return !BEHIND_LIST.has(role) && type !== 'TableColumns';
}

function nameOf(node: PrintableNode): string {
  return node.value ?? node.type.toUpperCase();
}

/** `CAST(x AS t FORMAT f)`, `CONVERT(x, t)`; some dialects have plain functions of this type. */
function layOutCast(node: PrintableNode): readonly Part[] {
  const to = childOf(node, 'to');
  if (to === undefined) return layOutCall(node);
  const value = requiredChild(node, 'this');
  const name = nameOf(node);
  if (name.toUpperCase() === 'CONVERT') return [`${name}(`, value, ', ', to, ')'];
  const format = childOf(node, 'expression');
  return [`${name}(`, value, ' AS ', to, ...(format === undefined ? [] : [' FORMAT ', format]), ')'];
}

/** `EXTRACT(YEAR FROM x)`; `DATE_PART('year', x)` is a plain call. */
function layOutExtract(node: PrintableNode): readonly Part[] {
  const from = childOf(node, 'expression');
  if (from === undefined) return layOutCall(node);
  return [`${nameOf(node)}(`, requiredChild(node, 'this'), ' FROM ', from, ')'];
}

/** `TRIM(x, y)`, `TRIM(BOTH y FROM x)`: with FROM the value comes last. */
function layOutTrim(node: PrintableNode): readonly Part[] {
  const [first] = node.children;
  const { kind } = node.flags;
  if (kind === undefined && first?.role === 'this') return layOutCall(node);
  const characters = childrenOf(node, 'expressions');
  const words = kind === undefined ? [] : [`${kind} `];
  const before = characters.length === 0 ? words : [...words, ...listed(characters), ' '];
  return [`${nameOf(node)}(`, ...before, 'FROM ', requiredChild(node, 'this'), ')'];
}
