import type { AbsenceSources } from './absence-sources.ts';
import { isNameWord, type WrittenName } from './names-in.ts';
import { nearOf } from './near-of.ts';
import { isPerhapsStored, mayBeUnread } from './perhaps-stored.ts';

/** A name of which it may be said that nothing here is called so. */
export interface ClaimedName {
  readonly name: string;
  /** It could not be looked for everywhere it may be: nothing is said of it. */
  readonly isUnread: boolean;
}

/**
 * A name that is absent: it is written as a name, is no other kind of word, and nothing here is called like it. Of common nouns that is
 * never known: what is meant may be here under another word, as a kind, a part or a figure of something else.
 */
export function claimedName(name: WrittenName, sources: AbsenceSources): ClaimedName | undefined {
  return isAbsent(name, sources) ? { name: name.text, isUnread: mayBeUnread(name.text, sources) } : undefined;
}

function isAbsent({ text, words }: WrittenName, sources: AbsenceSources): boolean {
  const names = words.filter(isNameWord);
  if (names.length === 0 || nearOf(text, sources).length > 0) return false;
  const initials = words.map((word) => word[0]).join('');
  if (words.length > 1 && sources.values.lookup(initials).length > 0) return false;
  // What the whole name is near to was looked for already.
  const isNear = (word: string): boolean => word !== text && nearOf(word, sources).length > 0;
  return names.every((word) => !isNear(word) && !isPerhapsStored(word, sources));
}
