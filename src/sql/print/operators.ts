/** The sign of an operator node: its own, the one in the source, or the dialect's. */

import { LEVEL } from '../parser/reader/grammar.ts';
import { SIGNS } from './dialect-forms.ts';
import { ownTokens } from './own-words.ts';
import { childOf, type Part, type PrintableNode, type PrintContext } from './printable.ts';

/** Types whose flag `operator` tells a form, not a sign. */
const FORM_FLAGS: ReadonlySet<string> = new Set(['Cast', 'UnaryOperator', 'NullSafeEQ', 'NullSafeNEQ']);
/** Types that several signs stand for, of which the tree keeps none. */
const MANY_SIGNS: ReadonlySet<string> = new Set([
  'And',
  'Or',
  'Mod',
  'Pow',
  'Like',
  'ILike',
  'RegexpLike',
  'BitwiseXor',
  'JSONExtract',
  'JSONExtractScalar',
]);

/** `+` of Add, `LIKE` of Like; `undefined` for nodes that are no infix operator. */
export function signOf(node: PrintableNode, { forms, source }: PrintContext): string | undefined {
  if (node.flags.call !== undefined) return undefined;
  const common = SIGNS[node.type];
  if (common === undefined) return undefined;
  const { operator } = node.flags;
  if (operator !== undefined && !FORM_FLAGS.has(node.type)) return operator;
  if (source !== undefined && MANY_SIGNS.has(node.type)) {
    const words = ownTokens(source, node, node.children).map(({ text }) => text.toUpperCase());
    const written = words.find((word) => word !== 'NOT');
    if (written !== undefined) return written;
  }
  if (operator !== undefined) return common;
  return forms.signs[node.type] ?? common;
}

// Where an operand needs brackets so that the parser puts it back into the same place.

/** Which side of an operator an operand stands on; `only` has nothing behind it that could take it over. */
type Side = 'left' | 'right' | 'only';

export interface Place {
  /** How tight the operand must hold. */
  readonly least: number;
  readonly side?: Side;
}

/**
 * The operand, in brackets when it holds looser than `least`. Parsed trees have their brackets as nodes, so only
 * trees made by a program get new ones: `(a + b)` under `*` when `a` and `b` were joined by a rule.
 */
export function operand(node: PrintableNode, place: Place, context: PrintContext): readonly Part[] {
  if (context.source !== undefined) return [node];
  return holds(node, place, context) ? [node] : ['(', node, ')'];
}

function holds(node: PrintableNode, { least, side = 'only' }: Place, context: PrintContext): boolean {
  const prefix = prefixLevel(node);
  // Whatever begins with a sign or NOT may stand to the right of any operator.
  if (prefix !== undefined && side === 'right') return true;
  return levelOf(node, context) >= least && (side !== 'left' || openLevel(node, context) > least);
}

/** Prefix operators and how tight their operand must hold. */
const PREFIX_LEVELS: Readonly<Record<string, number>> = {
  Not: LEVEL.not,
  Neg: LEVEL.unary,
  Pos: LEVEL.unary,
  BitwiseNot: LEVEL.unary,
  UnaryOperator: LEVEL.unary,
};

function prefixLevel(node: PrintableNode): number | undefined {
  if (node.flags.call !== undefined || isNegatedPredicate(node)) return undefined;
  return PREFIX_LEVELS[node.type];
}

const NEGATED_INSIDE: ReadonlySet<string> = new Set([
  'In',
  'Between',
  'Is',
  'Like',
  'ILike',
  'Glob',
  'SimilarTo',
]);

/** `a NOT IN (…)`, `a IS NOT NULL`: NOT inside of its predicate. In a source it stands where the author put it. */
export function isNegatedPredicate(node: PrintableNode): boolean {
  if (node.type !== 'Not') return false;
  const inner = childOf(node, 'this');
  if (inner === undefined || inner.flags.call !== undefined) return false;
  if (node.start !== undefined) return inner.start === node.start;
  const predicate = inner.type === 'Escape' ? childOf(inner, 'this') : inner;
  return predicate !== undefined && NEGATED_INSIDE.has(predicate.type);
}

const PREDICATE_WORDS: Readonly<Record<string, string>> = { In: 'IN', Between: 'BETWEEN', Escape: 'LIKE' };
const QUERIES: ReadonlySet<string> = new Set(['Select', 'Union', 'Intersect', 'Except', 'Values']);

/** How tight a node holds together as a whole. */
export function levelOf(node: PrintableNode, context: PrintContext): number {
  if (node.flags.call !== undefined) return LEVEL.postfix + 1;
  if (isNegatedPredicate(node)) return levelOf(childOf(node, 'this') ?? node, context);
  if (node.type === 'Collate' || node.type === 'AtTimeZone') return LEVEL.postfix;
  if (node.type === 'Lambda' || node.type === 'Alias' || QUERIES.has(node.type)) return LEVEL.lowest;
  const prefix = prefixLevel(node);
  if (prefix !== undefined) return prefix;
  const sign = PREDICATE_WORDS[node.type] ?? signOf(node, context);
  if (sign === undefined) return LEVEL.postfix + 1;
  return context.grammar.infix.get(sign.split(' ')[0] ?? '')?.level ?? LEVEL.other;
}

/** The loosest prefix operator whose operand ends where the node ends: what follows would become part of it. */
function openLevel(node: PrintableNode, context: PrintContext): number {
  const prefix = prefixLevel(node);
  const last = node.children.at(-1);
  const isClosed = node.flags.call !== undefined || levelOf(node, context) > LEVEL.postfix;
  if (last === undefined || isClosed) return prefix ?? LEVEL.postfix + 2;
  return Math.min(prefix ?? LEVEL.postfix + 2, openLevel(last, context));
}
