import type { QuestionSymbol } from './question-symbols.ts';

const LONGEST = 3;

/** Features of a whole question: runs of one to three symbols, its first two, and how often each kind of name comes. */
export function questionGrams(symbols: readonly QuestionSymbol[]): string[] {
  const words = ['<', ...symbols.map(({ symbol }) => symbol), '>'];
  const grams = new Set<string>();
  for (let from = 0; from < words.length; from += 1)
    for (let length = 1; length <= LONGEST && from + length <= words.length; length += 1)
      grams.add(words.slice(from, from + length).join(' '));
  const bare = words.filter((word) => /^[A-Z]+$/.test(word) || CARRYING.has(word));
  for (let from = 0; from + 1 < bare.length; from += 1) grams.add(`~${bare[from]} ${bare[from + 1]}`);
  for (const kind of ['TABLE', 'COLUMN', 'VALUE', 'NUMBER', 'TIME'])
    grams.add(`#${kind}${Math.min(4, words.filter((word) => word === kind).length)}`);
  grams.add(`first ${words.slice(1, 3).join(' ')}`);
  return [...grams];
}

/** Words that join names. */
const CARRYING = new Set([
  'and',
  'or',
  'of',
  'for',
  'with',
  'by',
  'in',
  'not',
  'each',
  'most',
  'more',
  'than',
  'that',
  'who',
]);
