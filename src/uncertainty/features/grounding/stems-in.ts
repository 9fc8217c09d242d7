import { stemOf } from '../../../reasoning/index.ts';

/** Longer ones are codes or attacks; the rules of stems are for words, and stems are kept in memory. */
const LONGEST_WORD = 60;

/** Stems of the words and runs of digits of a text, in order. */
export function stemsIn(text: string): readonly string[] {
  return (text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []).map(shortStem);
}

/** The stem of a word; a very long word itself. */
export function shortStem(word: string): string {
  return word.length > LONGEST_WORD ? word : stemOf(word);
}
