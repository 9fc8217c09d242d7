import { splitName } from '../read/split-name.ts';
import type { Token } from '../read/tokenise.ts';
import type { Mention } from './mention.ts';

/** Any name or value that the words have as well is likelier meant. */
const SCORE = 0.5;

/** "members of the student club", asked of the database `student_club`: its own name narrows nothing. */
export function databaseWords(
  tokens: readonly Token[],
  database: string,
): Pick<Mention, 'from' | 'to' | 'score' | 'cue' | 'nouns' | 'values'>[] {
  const words = new Set(splitName(database));
  return tokens.flatMap(({ kind, text }, from) => {
    const parts = kind === 'word' ? splitName(text) : [];
    const isName = parts.some((part) => part.length > 2) && parts.every((part) => words.has(part));
    return isName
      ? [{ from, to: from + 1, score: SCORE, cue: { kind: 'stop' as const }, nouns: [], values: [] }]
      : [];
  });
}
