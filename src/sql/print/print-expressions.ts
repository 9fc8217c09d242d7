/** What is neither operator nor call: casts by sign, CASE, subscripts, tails of calls, types. */
import { LEVEL } from '../parser/reader/grammar.ts';
import { isNegatedPredicate, levelOf, operand, signOf } from './operators.ts';
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

export const EXPRESSIONS: Readonly<Record<string, LayOut>> = {
  Cast: printCast,
  TryCast: (node) => ['TRY_CAST(', requiredChild(node, 'this'), ' AS ', requiredChild(node, 'to'), ')'],
  Case: printCase,
  If: (node) => ['WHEN ', requiredChild(node, 'this'), ' THEN ', requiredChild(node, 'true')],
  Bracket: (node, context) => [
    ...subscripted(requiredChild(node, 'this'), context),
    '[',
    ...listed(childrenOf(node, 'expressions')),
    ']',
  ],
  Slice: printSlice,
  PropertyEQ: printProperty,
  JSONKeyValue: (node) => [requiredChild(node, 'this'), ': ', requiredChild(node, 'expression')],
  Kwarg: (node) => {
    const name = requiredChild(node, 'this');
    // The name of an argument is never quoted for being a keyword: `OUTER => TRUE`.
    const written = name.flags.quoted === undefined ? (name.value ?? '') : name;
    return [written, ' => ', requiredChild(node, 'expression')];
  },
  HavingMax: (node) => [`HAVING ${node.flags.kind ?? 'MAX'} `, requiredChild(node, 'this')],
  Filter: (node) => [requiredChild(node, 'this'), ' FILTER (', requiredChild(node, 'expression'), ')'],
  WithinGroup: (node) => [
    requiredChild(node, 'this'),
    ' WITHIN GROUP (',
    requiredChild(node, 'expression'),
    ')',
  ],
  IgnoreNulls: (node) => [requiredChild(node, 'this'), ' IGNORE NULLS'],
  RespectNulls: (node) => [requiredChild(node, 'this'), ' RESPECT NULLS'],
  DataType: printType,
  DataTypeParam: (node) => [requiredChild(node, 'this')],
};

/** PostgreSQL wants brackets around all but names before a subscript; they do no harm elsewhere. */
function subscripted(value: PrintableNode, context: PrintContext): readonly Part[] {
  const isName = ['Column', 'Paren', 'Bracket', 'Placeholder'].includes(value.type);
  return isName || context.source !== undefined ? [value] : ['(', value, ')'];
}

/** `x::t`, `DATE '…'`, `ARRAY<t>[…]`; a cast made by a program is a call. */
function printCast(node: PrintableNode, context: PrintContext): readonly Part[] {
  const value = requiredChild(node, 'this');
  const to = requiredChild(node, 'to');
  switch (node.flags.operator) {
    case '::':
      return [...operand(value, { least: LEVEL.postfix + 1 }, context), '::', to];
    case 'literal':
      return [to, ' ', value];
    case 'typed':
      return value.type === 'Struct' ? [to, '(', ...listed(value.children), ')'] : [to, value];
    default:
      return ['CAST(', value, ' AS ', to, ')'];
  }
}

function printCase(node: PrintableNode): readonly Part[] {
  const subject = childOf(node, 'this');
  const otherwise = childOf(node, 'default');
  return [
    'CASE',
    ...(subject === undefined ? [] : [' ', subject]),
    ...childrenOf(node, 'ifs').flatMap((branch) => [' ', branch]),
    ...(otherwise === undefined ? [] : [' ELSE ', otherwise]),
    ' END',
  ];
}

/** `1:2`, `:`, `1:2:3`. */
function printSlice(node: PrintableNode): readonly Part[] {
  const from = childOf(node, 'this');
  const to = childOf(node, 'expression');
  const step = childOf(node, 'step');
  return [
    ...(from === undefined ? [] : [from]),
    ':',
    ...(to === undefined ? [] : [to]),
    ...(step === undefined ? [] : [to === undefined ? '-:' : ':', step]),
  ];
}

/** A field of a struct or an entry of a map; else an assignment. */
function printProperty(node: PrintableNode): readonly Part[] {
  const name = requiredChild(node, 'this');
  const isVariable = name.type === 'Parameter' || name.type === 'Placeholder';
  return [name, isVariable ? ' := ' : ': ', requiredChild(node, 'expression')];
}

/** Words of a type that stand behind its brackets: `TIMESTAMP(3) WITH TIME ZONE`. */
const LAST_WORDS = / (?:WITH |WITHOUT |UNSIGNED|ZEROFILL).*$/;

function printType(node: PrintableNode, { forms }: PrintContext): readonly Part[] {
  const name = node.value ?? '';
  const inside = node.children;
  const [only] = inside;
  if (inside.length === 0 || only === undefined) return [name];
  const isNested = only.type === 'DataType' || only.type === 'ColumnDef';
  if (!isNested) {
    const last = LAST_WORDS.exec(name)?.[0] ?? '';
    return [`${name.slice(0, name.length - last.length)}(`, ...listed(inside), `)${last}`];
  }
  if (name === 'ARRAY' && forms.nestedType === 'marks' && inside.length === 1) return [only, '[]'];
  return forms.nestedType === 'angles'
    ? [`${name}<`, ...listed(inside), '>']
    : [`${name}(`, ...listed(inside), ')'];
}

// Operators and predicates.

/** Operators that stand behind their operand, and how they are written. */
const AFTER_OPERAND: Readonly<Record<string, string>> = { '(+)': '(+)', FACTORIAL: '!' };

export const OPERATORS: Readonly<Record<string, LayOut>> = {
  Not: (node, context) =>
    isNegatedPredicate(node)
      ? printPredicate(requiredChild(node, 'this'), context, 'NOT ')
      : ['NOT ', ...operand(requiredChild(node, 'this'), { least: LEVEL.not }, context)],
  Neg: (node, context) => printSign('-', node, context),
  Pos: (node, context) => printSign('+', node, context),
  BitwiseNot: (node, context) => printSign('~', node, context),
  UnaryOperator: (node, context) => {
    const after = AFTER_OPERAND[node.flags.operator ?? ''];
    return after === undefined
      ? printSign(node.flags.operator ?? '', node, context)
      : [requiredChild(node, 'this'), after];
  },
  ...(Object.fromEntries(
    ['Is', 'In', 'Between', 'Like', 'ILike', 'Glob', 'SimilarTo', 'Escape'].map((type) => [
      type,
      (node, context) => printPredicate(node, context, ''),
    ]),
  ) satisfies Record<string, LayOut>),
  Any: (node) => ['ANY ', requiredChild(node, 'this')],
  All: (node) => ['ALL ', requiredChild(node, 'this')],
  Exists: (node) => {
    const query = requiredChild(node, 'this');
    const hasBrackets = query.type === 'Subquery' || query.type === 'Paren';
    return hasBrackets ? ['EXISTS ', query] : ['EXISTS (', query, ')'];
  },
  Paren: (node) => ['(', requiredChild(node, 'this'), ')'],
  Collate: (node, context) => [
    ...operand(requiredChild(node, 'this'), { least: LEVEL.postfix, side: 'left' }, context),
    ' COLLATE ',
    requiredChild(node, 'expression'),
  ],
  AtTimeZone: (node, context) => [
    ...operand(requiredChild(node, 'this'), { least: LEVEL.postfix, side: 'left' }, context),
    requiredChild(node, 'zone').type === 'Var' ? ' AT ' : ' AT TIME ZONE ',
    ...operand(requiredChild(node, 'zone'), { least: LEVEL.unary, side: 'right' }, context),
  ],
};

/** `left sign right`, from left to right among equals. */
export function printBinary(node: PrintableNode, context: PrintContext): readonly Part[] {
  const sign = signOf(node, context) ?? '';
  const level = levelOf(node, context);
  const left = operand(requiredChild(node, 'this'), { least: level, side: 'left' }, context);
  if (sign === ':') return [...left, ':', requiredChild(node, 'expression')];
  return [
    ...left,
    ` ${sign} `,
    ...operand(requiredChild(node, 'expression'), { least: level + 1, side: 'right' }, context),
  ];
}

/** IS, IN, LIKE, BETWEEN and their kin, with NOT inside. */
function printPredicate(node: PrintableNode, context: PrintContext, not: '' | 'NOT '): readonly Part[] {
  const level = levelOf(node, context);
  const left = (): readonly Part[] =>
    operand(requiredChild(node, 'this'), { least: level, side: 'left' }, context);
  const right = (child: PrintableNode): readonly Part[] =>
    operand(child, { least: Math.max(context.grammar.operandLevel, level), side: 'right' }, context);
  switch (node.type) {
    case 'Escape':
      return [
        ...printPredicate(requiredChild(node, 'this'), context, not),
        ' ESCAPE ',
        ...right(requiredChild(node, 'expression')),
      ];
    case 'Is':
      return [...left(), ` IS ${not}`, ...right(requiredChild(node, 'expression'))];
    case 'In':
      return [...left(), ` ${not}IN `, ...inSide(node, right)];
    case 'Between':
      return [
        ...left(),
        ` ${not}BETWEEN ${node.flags.symmetric === undefined ? '' : 'SYMMETRIC '}`,
        ...right(requiredChild(node, 'low')),
        ' AND ',
        ...right(requiredChild(node, 'high')),
      ];
    default:
      return [...left(), ` ${not}${signOf(node, context)} `, ...right(requiredChild(node, 'expression'))];
  }
}

/** `(1, 2)`, `(SELECT …)`, `UNNEST(…)` or a relation. */
function inSide(node: PrintableNode, right: (child: PrintableNode) => readonly Part[]): readonly Part[] {
  const query = childOf(node, 'query') ?? childOf(node, 'unnest');
  if (query !== undefined) return [query];
  const field = childOf(node, 'field');
  return field === undefined ? ['(', ...listed(childrenOf(node, 'expressions')), ')'] : right(field);
}

/** Words keep a space behind them, and so do signs that would grow into another token: `- -1`. */
function printSign(sign: string, node: PrintableNode, context: PrintContext): readonly Part[] {
  const value = requiredChild(node, 'this');
  const isLoose = /\w$/.test(sign) || beginsWithSign(value);
  return [`${sign}${isLoose ? ' ' : ''}`, ...operand(value, { least: LEVEL.unary }, context)];
}

function beginsWithSign(node: PrintableNode): boolean {
  const isSigned = ['Neg', 'Pos', 'BitwiseNot', 'UnaryOperator'].includes(node.type);
  if (isSigned) return true;
  if (node.type === 'Literal') return node.value?.startsWith('-') === true;
  const [first] = node.children;
  return (
    first !== undefined && node.type !== 'Paren' && node.flags.call === undefined && beginsWithSign(first)
  );
}
