import type { AbsenceSources } from './absence-sources.ts';
import { type NearName, sortNear } from './near-name.ts';
import { searchDescriptions } from './search-descriptions.ts';
import { searchNames } from './search-names.ts';
import { searchRelated } from './search-related.ts';
import { searchValues } from './search-values.ts';

/** Nothing has a longer name. */
const MOST_WORDS = 12;

export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’&./-]*/gu)?.slice(0, MOST_WORDS) ?? [];
}

/** Whatever is called like a text, or is related to it where nothing is. */
export function nearOf(text: string, sources: AbsenceSources): readonly NearName[] {
  if (text === '') return [];
  const words = wordsOf(text).map((word) => word.toLowerCase());
  const near = sortNear([
    ...searchNames(words, sources.knowledge),
    ...searchValues(text, sources),
    ...searchDescriptions(text, sources.knowledge),
  ]);
  return near.length > 0 ? near : sortNear(searchRelated(text, sources));
}
