import type { Mention } from '../mention/mention.ts';

/** Two mentions name the same thing best. */
export function isSameName(a: Mention | undefined, b: Mention | undefined): boolean {
  return a?.nouns[0] !== undefined && a.nouns[0].id === b?.nouns[0]?.id;
}
