/** The sign of an operator node: its own, the one in the source, or the dialect's. */
import { SIGNS } from './dialect-forms.ts';
import { ownTokens } from './own-words.ts';
import type { PrintableNode, PrintContext } from './printable.ts';

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
