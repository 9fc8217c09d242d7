import { lemmaOf } from './lemma.ts';
import type { Token } from './tokenise.ts';

/** A token that was read as another word, one letter away. */
export interface Correction {
  readonly token: Token;
  readonly to: string;
}

const MIN_LENGTH = 5;

/** A word of a question that is no word of the vocabulary, read as one that is. */
export function correctSpelling(token: Token, vocabulary: ReadonlySet<string>): Correction | null {
  const to = token.kind === 'word' ? nearestWord(token.lower, vocabulary) : undefined;
  return to === undefined ? null : { token, to };
}

/**
 * The vocabulary word one edit away from a word (a letter changed, added, left out, or two swapped), if there
 * is just one and it begins with the same letter. Short words are left alone: they are one edit from anything.
 */
export function nearestWord(word: string, vocabulary: ReadonlySet<string>): string | undefined {
  if (word.length < MIN_LENGTH || vocabulary.has(word)) return undefined;
  const near = new Set<string>();
  for (const candidate of edits(word))
    if (candidate[0] === word[0] && vocabulary.has(candidate)) near.add(candidate);
  const [first] = near;
  // A name and its plural are one word.
  const lemmas = new Set([...near].map(lemmaOf));
  const sameEnd = [...near].find((candidate) => candidate.at(-1) === word.at(-1));
  return lemmas.size === 1 && first !== undefined ? (sameEnd ?? first) : undefined;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

function* edits(word: string): Generator<string> {
  for (let at = 1; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (tail !== '') yield head + tail.slice(1);
    if (tail.length > 1) yield head + tail[1] + tail[0] + tail.slice(2);
    for (const letter of LETTERS) {
      if (tail !== '') yield head + letter + tail.slice(1);
      yield head + letter + tail;
    }
  }
}
