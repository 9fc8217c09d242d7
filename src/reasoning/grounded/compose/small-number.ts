import type { Mention } from '../mention/mention.ts';

const SMALL: ReadonlyMap<string, number> = new Map([
  ['one', 1],
  ['once', 1],
  ['single', 1],
  ['twice', 2],
]);

/** The number of a word that counts only where a number is due: "more than one", "at least twice". */
export function smallNumber(mention: Mention | undefined): number | undefined {
  return SMALL.get(mention?.text.toLowerCase() ?? '');
}
