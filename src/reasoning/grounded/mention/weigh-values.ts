import type { Token } from '../read/tokenise.ts';
import { isLoose } from './is-loose.ts';
import type { ValueMatch } from './mention.ts';

/** Lower-case single words are weak evidence of a value: "name" is rarely meant as the stored word. */
export function weighValues(
  values: readonly ValueMatch[],
  span: readonly Token[],
  index: number,
): ValueMatch[] {
  const first = span[0];
  const isCapital = span.some((token, at) => /^\p{Lu}|\d/u.test(token.text) && (at > 0 || index > 0));
  const factor =
    first?.kind === 'quoted' ? 1.1 : isCapital ? 1.05 : span.length > 1 ? 0.95 : isLoose(first) ? 0.2 : 0.82;
  const isNumber = span.length === 1 && first?.kind === 'number';
  return values
    .map((value) => ({ ...value, score: value.score * (isNumber ? 0.6 : factor) }))
    .sort((a, b) => b.score - a.score || a.columnId.localeCompare(b.columnId));
}
