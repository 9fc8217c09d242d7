/** Identifiers, columns, stars and aliases. */

import { DIALECTS } from '../dialects/dialects.ts';
import { inQuotes, quoteName, quoteText } from '../dialects/quoting.ts';
import { LEVEL } from '../parser/reader/grammar.ts';
import { operand } from './operators.ts';
import { ownTokens } from './own-words.ts';
import { sourceText } from './print-as-written.ts';
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

export const NAMES: Readonly<Record<string, LayOut>> = {
  Identifier: (node, context) => [identifierText(node, context)],
  Column: (node) => node.children.flatMap((part, index) => (index === 0 ? [part] : ['.', part])),
  Star: printStar,
  Alias: printAlias,
  Aliases: (node) => [requiredChild(node, 'this'), ' AS (', ...listed(childrenOf(node, 'aliases')), ')'],
  Dot: (node, context) => [
    ...operand(requiredChild(node, 'this'), { least: LEVEL.postfix + 1 }, context),
    '.',
    requiredChild(node, 'expression'),
  ],
  ColumnDef: (node) => {
    const kind = childOf(node, 'kind');
    return [requiredChild(node, 'this'), ...(kind === undefined ? [] : [' ', kind])];
  },
};

/** As written in its own dialect; quoted anew when it had quotes or needs them. */
function identifierText(node: PrintableNode, { dialect, source }: PrintContext): string {
  const name = node.value ?? '';
  const { quoted } = node.flags;
  if (source !== undefined) {
    if (quoted === undefined) return name;
    const written = source.text.slice(node.start, node.end);
    // Names that share one pair of quotes have none of their own.
    if (/^(?:["'`[@]|[uU]&")/.test(written)) return written;
    return inQuotes(name, quoted === '`' || quoted === "'" ? quoted : '"');
  }
  const isPlain = quoted === undefined && !DIALECTS[dialect].reserved.has(name.toLowerCase());
  return isPlain ? name : quoteName(name, dialect);
}

function printStar(node: PrintableNode, { forms }: PrintContext): readonly Part[] {
  const change = (word: string, role: 'except' | 'replace' | 'rename'): readonly Part[] => {
    const items = childrenOf(node, role);
    return items.length === 0 ? [] : [` ${word} (`, ...listed(items), ')'];
  };
  const pattern = childOf(node, 'condition');
  return [
    '*',
    ...(pattern === undefined ? [] : [' ILIKE ', pattern]),
    ...change(forms.starWithout, 'except'),
    ...change('REPLACE', 'replace'),
    ...change('RENAME', 'rename'),
  ];
}

/** `a + b AS total`, and DuckDB's `total: a + b` where the name comes first. */
function printAlias(node: PrintableNode): readonly Part[] {
  const value = requiredChild(node, 'this');
  const alias = requiredChild(node, 'alias');
  return node.children[0] === alias ? [alias, ': ', value] : [value, ' AS ', alias];
}

// Calls of functions, the ones with a grammar of their own included.

/** Types whose call is not `name(a, b)`; given only nodes that are calls. */
export const CALLS: Readonly<Record<string, LayOut>> = {
  Cast: printCast,
  TryCast: printCast,
  Extract: printExtract,
  Trim: printTrim,
  MatchAgainst: (node) => [
    `${nameOf(node)}(`,
    ...listed(childrenOf(node, 'expressions')),
    ') AGAINST (',
    requiredChild(node, 'this'),
    ')',
  ],
};

/** `name(DISTINCT a, b ORDER BY c LIMIT 2)`; `CURRENT_DATE` has no brackets. */
export function printCall(node: PrintableNode): readonly Part[] {
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
function printCast(node: PrintableNode): readonly Part[] {
  const to = childOf(node, 'to');
  if (to === undefined) return printCall(node);
  const value = requiredChild(node, 'this');
  const name = nameOf(node);
  if (name.toUpperCase() === 'CONVERT') return [`${name}(`, value, ', ', to, ')'];
  const format = childOf(node, 'expression');
  return [`${name}(`, value, ' AS ', to, ...(format === undefined ? [] : [' FORMAT ', format]), ')'];
}

/** `EXTRACT(YEAR FROM x)`; `DATE_PART('year', x)` is a plain call. */
function printExtract(node: PrintableNode): readonly Part[] {
  const from = childOf(node, 'expression');
  if (from === undefined) return printCall(node);
  return [`${nameOf(node)}(`, requiredChild(node, 'this'), ' FROM ', from, ')'];
}

/** `TRIM(x, y)`, `TRIM(BOTH y FROM x)`: with FROM the value comes last. */
function printTrim(node: PrintableNode): readonly Part[] {
  const [first] = node.children;
  const { kind } = node.flags;
  if (kind === undefined && first?.role === 'this') return printCall(node);
  const characters = childrenOf(node, 'expressions');
  const words = kind === undefined ? [] : [`${kind} `];
  const before = characters.length === 0 ? words : [...words, ...listed(characters), ' '];
  return [`${nameOf(node)}(`, ...before, 'FROM ', requiredChild(node, 'this'), ')'];
}

/** Literals: as written in their own dialect, in the target's spelling when a program made them. */
export const LITERALS: Readonly<Record<string, LayOut>> = {
  Literal: (node, context) =>
    leaf(
      node,
      context,
      node.flags.string === undefined ? (node.value ?? '') : quoteText(node.value ?? '', context.dialect),
    ),
  HexString: (node, context) => leaf(node, context, `X'${node.value ?? ''}'`),
  BitString: (node, context) => leaf(node, context, `B'${node.value ?? ''}'`),
  Placeholder: (node, context) => leaf(node, context, node.value ?? '?'),
  PositionalReference: (node, context) =>
    leaf(node, context, `${context.dialect === 'snowflake' ? '$' : '#'}${node.value ?? ''}`),
  Parameter: (node, context) => leaf(node, context, node.value ?? ''),
  Var: (node, context) => leaf(node, context, node.value ?? ''),
  Boolean: (node) => [(node.value ?? '').toUpperCase()],
  Null: () => ['NULL'],
  Interval: (node) => {
    const amount = childOf(node, 'this');
    const unit = childOf(node, 'unit');
    return [
      'INTERVAL',
      ...(amount === undefined ? [] : [' ', amount]),
      ...(unit === undefined ? [] : [' ', unit]),
    ];
  },
  /** A path is one text; only computed places in it are nodes. */
  JSONPath: (node, context) => leaf(node, context, node.value ?? ''),
  Array: (node, { forms }) => [`${forms.arrayWord}[`, ...listed(node.children), ']'],
  Struct: (node) => ['{', ...listed(node.children), '}'],
  Map: (node) => ['MAP {', ...listed(node.children), '}'],
  Tuple: printTuple,
  Comprehension: (node) => {
    const condition = childOf(node, 'condition');
    return [
      '[',
      requiredChild(node, 'this'),
      ' FOR ',
      ...listed(childrenOf(node, 'expressions')),
      ' IN ',
      requiredChild(node, 'iterator'),
      ...(condition === undefined ? [] : [' IF ', condition]),
      ']',
    ];
  },
  Let: (node) => ['WITH(', ...listed([...childrenOf(node, 'expressions'), requiredChild(node, 'this')]), ')'],
  LetName: (node) => [requiredChild(node, 'alias'), ' AS ', requiredChild(node, 'this')],
  Lambda: (node) => {
    const names = childrenOf(node, 'expressions');
    const body = requiredChild(node, 'this');
    return names.length === 1 ? [...names, ' -> ', body] : ['(', ...listed(names), ') -> ', body];
  },
};

function leaf(node: PrintableNode, { source }: PrintContext, made: string): readonly Part[] {
  return [source === undefined ? made : sourceText(source, node.start, node.end)];
}

/** A row of VALUES may have one value; elsewhere only the comma tells a row of one from a value in brackets. */
function printTuple(node: PrintableNode, { source }: PrintContext): readonly Part[] {
  const isOne = node.children.length === 1 && source !== undefined;
  const hasComma = isOne && ownTokens(source, node, node.children).some(({ text }) => text === ',');
  return ['(', ...listed(node.children), hasComma ? ',)' : ')'];
}
