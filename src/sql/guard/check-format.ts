import type { ReadingRules } from '../functions/reading-rules.ts';
import { child, type SqlNode } from '../tree/node.ts';
import { type Refusal, refuse } from './verdict.ts';

/** One place of a format: flags, width, precision, letter. */
const PLACE = /%[-+ 0,!#]*(\*|\d*)(?:\.(\*|\d*))?l*(.)/g;

/** Of a format that is written out: a result that is too wide is NULL, or has fewer digits, without a word. */
export function checkFormat(node: SqlNode, { widestFormat }: ReadingRules): Refusal | undefined {
  const name = node.value?.toLowerCase() ?? '';
  if (widestFormat === undefined || !widestFormat.functions.has(name)) return undefined;
  const [format, ...given] = node.children;
  if (format?.type !== 'Literal') return undefined;
  const widest = widestFormat.characters;
  return widthOf(format.value ?? '', given) <= widest
    ? undefined
    : refuse(`${name} may make at most ${widest.toLocaleString('en')} characters`, name, node);
}

/** All widths and precisions together; `*` takes the next argument for one. */
function widthOf(format: string, given: readonly SqlNode[]): number {
  let next = 0;
  let sum = 0;
  for (const [, width, precision, letter] of format.matchAll(PLACE)) {
    for (const size of [width, precision]) sum += size === '*' ? numberIn(given[next++]) : Number(size ?? 0);
    if (letter !== '%' && letter !== 'n') next += 1;
  }
  return sum;
}

/** A negative width aligns to the left. */
function numberIn(node: SqlNode | undefined): number {
  const literal = node?.type === 'Neg' ? child(node, 'this') : node;
  const number = literal?.type === 'Literal' ? Math.abs(Number(literal.value)) : 0;
  return Number.isNaN(number) ? 0 : number;
}
