/** Operators and predicates. */
import { LEVEL } from '../parser/grammar.ts';
import { signOf } from './operator-sign.ts';
import { isNegatedPredicate, levelOf, operand } from './precedence.ts';
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

/** Operators that stand behind their operand, and how they are written. */
const AFTER_OPERAND: Readonly<Record<string, string>> = { '(+)': '(+)', FACTORIAL: '!' };

export const OPERATORS: Readonly<Record<string, LayOut>> = {
  Not: (node, context) =>
    isNegatedPredicate(node)
      ? layOutPredicate(requiredChild(node, 'this'), context, 'NOT ')
      : ['NOT ', ...operand(requiredChild(node, 'this'), { least: LEVEL.not }, context)],
  Neg: (node, context) => layOutSign('-', node, context),
  Pos: (node, context) => layOutSign('+', node, context),
  BitwiseNot: (node, context) => layOutSign('~', node, context),
  UnaryOperator: (node, context) => {
    const after = AFTER_OPERAND[node.flags.operator ?? ''];
    return after === undefined
      ? layOutSign(node.flags.operator ?? '', node, context)
      : [requiredChild(node, 'this'), after];
  },
  ...(Object.fromEntries(
    ['Is', 'In', 'Between', 'Like', 'ILike', 'Glob', 'SimilarTo', 'Escape'].map((type) => [
      type,
      (node, context) => layOutPredicate(node, context, ''),
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
export function layOutBinary(node: PrintableNode, context: PrintContext): readonly Part[] {
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
function layOutPredicate(node: PrintableNode, context: PrintContext, not: '' | 'NOT '): readonly Part[] {
  const level = levelOf(node, context);
  const left = (): readonly Part[] =>
    operand(requiredChild(node, 'this'), { least: level, side: 'left' }, context);
  const right = (child: PrintableNode): readonly Part[] =>
    operand(child, { least: Math.max(context.grammar.operandLevel, level), side: 'right' }, context);
  switch (node.type) {
    case 'Escape':
      return [
        ...layOutPredicate(requiredChild(node, 'this'), context, not),
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
function layOutSign(sign: string, node: PrintableNode, context: PrintContext): readonly Part[] {
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
