import type { Column } from '../../../../catalog/index.ts';

const PAIRS: readonly (readonly [yes: string, no: string])[] = [
  ['yes', 'no'],
  ['y', 'n'],
  ['true', 'false'],
  ['t', 'f'],
];

/** What a column that says yes or no holds for each, as stored; undefined for every other column. */
export function flagValues({
  family,
  profile,
}: Pick<Column, 'family' | 'profile'>):
  | { readonly yes: string | boolean | number; readonly no: string | boolean | number }
  | undefined {
  if (family === 'boolean') return { yes: true, no: false };
  const { min, max, distinctCount, examples = [] } = profile ?? {};
  if (min === '0' && max === '1' && distinctCount === 2)
    return family === 'text' ? { yes: '1', no: '0' } : { yes: 1, no: 0 };
  if (family !== 'text' || examples.length === 0 || examples.length > 2) return undefined;
  const stored = (word: string): string | undefined => examples.find((text) => text.toLowerCase() === word);
  const pair = PAIRS.find((words) => examples.every((text) => words.includes(text.toLowerCase())));
  return (
    pair && {
      yes: stored(pair[0]) ?? alike(pair[0], examples),
      no: stored(pair[1]) ?? alike(pair[1], examples),
    }
  );
}

/** `No` beside a stored `Yes`: in the same case. */
function alike(word: string, [example = '']: readonly string[]): string {
  if (example === example.toUpperCase()) return word.toUpperCase();
  const isCapital = example.slice(0, 1) === example.slice(0, 1).toUpperCase();
  return isCapital ? word.slice(0, 1).toUpperCase() + word.slice(1) : word;
}
