/** Keys of operators, written so that equal conditions come out equal. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import { callKey } from './call-keys.ts';
import type { Keying, KeyRule } from './keying.ts';
import { keyIn } from './name-keys.ts';
import { operandsOf, withoutBrackets } from './operands.ts';

/** The sign in keys; `swaps` means that the operands may change places. */
const SIGNS: Readonly<Record<string, readonly [sign: string, swaps?: 'swaps']>> = {
  And: ['and', 'swaps'],
  Or: ['or', 'swaps'],
  Xor: ['xor', 'swaps'],
  EQ: ['=', 'swaps'],
  NEQ: ['<>', 'swaps'],
  NullSafeEQ: ['<=>', 'swaps'],
  NullSafeNEQ: ['<!>', 'swaps'],
  Add: ['+', 'swaps'],
  Mul: ['*', 'swaps'],
  BitwiseAnd: ['&', 'swaps'],
  BitwiseOr: ['|', 'swaps'],
  BitwiseXor: ['^', 'swaps'],
  LT: ['<'],
  LTE: ['<='],
  Is: ['is'],
  Like: ['like'],
  ILike: ['ilike'],
  Glob: ['glob'],
  SimilarTo: ['similar to'],
  RegexpLike: ['~'],
  RegexpILike: ['~*'],
  Escape: ['escape'],
  Collate: ['collate'],
  Sub: ['-'],
  Div: ['/'],
  IntDiv: ['//'],
  Mod: ['%'],
  DPipe: ['||'],
  BitwiseLeftShift: ['<<'],
  BitwiseRightShift: ['>>'],
  PropertyEQ: [':='],
};

/** Chains of these are one operator with many operands, whatever the brackets. */
const CHAINS: ReadonlySet<string> = new Set(['And', 'Or', 'Add', 'Mul', 'DPipe']);

/** Types whose keys need brackets inside another operator. */
const BRACKETED: ReadonlySet<string> = new Set([
  ...Object.keys(SIGNS),
  'GT',
  'GTE',
  'Not',
  'Between',
  'In',
  'Neg',
]);

function operandKey(keying: Keying, node: SqlNode): string {
  const inner = withoutBrackets(node);
  const key = keying.keyOf(keying, inner);
  return BRACKETED.has(inner.type) ? `(${key})` : key;
}

function binary(type: string): KeyRule {
  const [sign, swaps] = SIGNS[type] ?? [type];
  const isChain = CHAINS.has(type);
  return (keying, node) => {
    // A call by that name, as LIKE(a, b), may take its arguments in another order.
    if (node.flags.call !== undefined) return callKey(keying, node);
    const operands = isChain ? operandsOf(node) : node.children;
    const keys = operands.map((operand) => operandKey(keying, operand));
    return (swaps === undefined ? keys : sorted(keys)).join(` ${sign} `);
  };
}

/** Names before constants, so that keys read as conditions are written. */
function sorted(keys: string[]): string[] {
  return keys.sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : one > other ? 1 : 0));
}

function rank(key: string): number {
  const first = key.charCodeAt(0);
  return first === APOSTROPHE || (first >= DIGIT_0 && first <= DIGIT_9) ? 1 : 0;
}

const APOSTROPHE = 39;
const DIGIT_0 = 48;
const DIGIT_9 = 57;

/** `a > b` is `b < a`. */
function flipped(sign: string): KeyRule {
  return (keying, { children }) => {
    const keys = children.map((operand) => operandKey(keying, operand));
    return keys.reverse().join(` ${sign} `);
  };
}

/** What NOT makes of a comparison; NULL stays NULL on both sides. */
const NEGATED: Readonly<Record<string, readonly [sign: string, order: 'sorted' | 'written' | 'reversed']>> = {
  EQ: ['<>', 'sorted'],
  NEQ: ['=', 'sorted'],
  NullSafeEQ: ['<!>', 'sorted'],
  NullSafeNEQ: ['<=>', 'sorted'],
  LT: ['<=', 'reversed'],
  LTE: ['<', 'reversed'],
  GT: ['<=', 'written'],
  GTE: ['<', 'written'],
};

const not: KeyRule = (keying, node) => {
  const below = child(node, 'this');
  if (below === undefined) return 'not';
  const inner = withoutBrackets(below);
  if (inner.type === 'Not') return keyIn(keying, inner, 'this');
  const negated = NEGATED[inner.type];
  // NOT (a = ANY (…)) says more than a <> ANY (…).
  const isQuantified = inner.children.some(({ type }) => type === 'Any' || type === 'All');
  if (negated === undefined || isQuantified) return `not ${operandKey(keying, inner)}`;
  const [sign, order] = negated;
  const keys = inner.children.map((operand) => operandKey(keying, operand));
  if (order === 'reversed') keys.reverse();
  return (order === 'sorted' ? sorted(keys) : keys).join(` ${sign} `);
};

const negative: KeyRule = (keying, { children }) =>
  `-${children.map((operand) => operandKey(keying, operand)).join('')}`;

/** In which order and how often a list names its values says nothing. */
const inList: KeyRule = (keying, node) => {
  const [subject, ...rest] = node.children;
  if (subject === undefined) return 'in';
  const keys = rest.map((value) => keying.keyOf(keying, value));
  const list = childrenIn(node, 'expressions').length === 0 ? keys : [...new Set(keys)].sort();
  return `${operandKey(keying, subject)} in (${list.join(', ')})`;
};

const between: KeyRule = (keying, node) => {
  const [subject, low, high] = node.children.map((part) => operandKey(keying, part));
  return `${subject} between ${node.flags.symmetric === undefined ? '' : 'symmetric '}${low} and ${high}`;
};

const transparent: KeyRule = (keying, node) => keyIn(keying, node, 'this');

export const OPERATOR_KEYS: readonly (readonly [type: string, rule: KeyRule])[] = [
  ...Object.keys(SIGNS).map((type) => [type, binary(type)] as const),
  ['GT', flipped('<')],
  ['GTE', flipped('<=')],
  ['Not', not],
  ['Neg', negative],
  ['Pos', transparent],
  ['Paren', transparent],
  ['In', inList],
  ['Between', between],
];
