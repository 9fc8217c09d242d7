import { type Token, tokenise } from '../read/tokenise.ts';
import type { DefinedCondition } from './definition.ts';
import type { TokenRange } from './find-phrase.ts';

/** Words that belong to the comparison in front of a number. */
const COMPARING = new Set(
  'more less than over above under below at least most between greater fewer higher lower bigger smaller exactly equal equals to of'.split(
    ' ',
  ),
);

/**
 * Where the question says the literal of the first condition itself: `"paid more than 50 dollars"` for `cost > 50`.
 * Of several literals (a range) the span holds all.
 */
export function findLiteral(
  conditions: readonly DefinedCondition[],
  tokens: readonly Token[],
): TokenRange | undefined {
  const condition = conditions[0]?.literal;
  if (condition === undefined || condition.values.length === 0) return undefined;
  const ranges = condition.values.map((value) => find(value, tokens));
  const found = ranges.flatMap((range) => range ?? []);
  if (found.length < ranges.length) return undefined;
  let from = Math.min(...found.map((range) => range.from));
  const to = Math.max(...found.map((range) => range.to));
  if (to - from > 8) return undefined;
  const isNumber = condition.values.every((value) => typeof value === 'number');
  while (isNumber && COMPARING.has(tokens[from - 1]?.lower ?? '')) from -= 1;
  return { from, to };
}

function find(value: string | number, tokens: readonly Token[]): TokenRange | undefined {
  if (typeof value === 'number') {
    const at = tokens.findIndex(({ number }) => number === value);
    return at < 0 ? undefined : { from: at, to: at + 1 };
  }
  const quoted = tokens.findIndex(
    ({ kind, lower }) => kind === 'quoted' && lower === value.toLowerCase().trim(),
  );
  if (quoted >= 0) return { from: quoted, to: quoted + 1 };
  const words = tokenise(value).map(({ lower }) => lower);
  if (words.length === 0 || value.trim().length < 2) return undefined;
  for (let from = 0; from + words.length <= tokens.length; from += 1)
    if (words.every((word, at) => tokens[from + at]?.lower === word))
      return { from, to: from + words.length };
  return undefined;
}
