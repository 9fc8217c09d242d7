/** Metrics and dimensions that a question means by their name, a synonym or what is said of them. */

import { wholeWords } from '../../../language/index.ts';
import type { JargonTerm } from '../../authored/authored.ts';
import { indexTerms } from '../../search/search-terms.ts';
import { fitting, type TextAsked } from '../settings/retrieval-settings.ts';
import type { Found } from '../settings/retrieved.ts';

export interface BusinessWord {
  readonly name: string;
  readonly synonyms: readonly string[];
}

/** The share of the words of its name or best synonym that the question has, or its cosine where that is higher. */
export function findBusinessWords<Word extends BusinessWord>(
  asked: TextAsked,
  words: readonly Word[],
  settings: { readonly most: number; readonly least: number; readonly leastCosine: number },
): { readonly found: readonly Found<Word>[]; readonly total: number } {
  const terms = new Set(asked.terms);
  const rated = words.flatMap((word): Found<Word>[] => {
    const names = [word.name, ...word.synonyms].map((name) => ({
      name,
      share: shareOf(indexTerms(name), terms),
    }));
    const best = names.reduce((most, each) => (each.share > most.share ? each : most), {
      name: '',
      share: 0,
    });
    const cosine = asked.cosines.get(word.name) ?? 0;
    const isNear = cosine >= settings.leastCosine && cosine > best.share;
    const score = isNear ? cosine : best.share;
    if (score < settings.least) return [];
    const because = isNear
      ? `it is near the question in meaning (${cosine.toFixed(2)})`
      : `the question has ${best.share < 1 ? 'words of ' : ''}\`${best.name}\``;
    return [{ item: word, score, because: [because] }];
  });
  return { found: fitting(rated, settings.most), total: rated.length };
}

function shareOf(words: readonly string[], terms: ReadonlySet<string>): number {
  return words.length === 0 ? 0 : words.filter((word) => terms.has(word)).length / words.length;
}

/** An abbreviation as short as this is jargon in capitals only: `IT`, not `it`. */
const SHORT = 3;

/**
 * Terms that stand in the question as whole words, the longest first; what a longer term has taken, a shorter one does
 * not take again. Meanings are cut to `characters`. Source: LinkedIn, sections 5.1 and 13.
 */
export function findJargon(
  question: string,
  terms: readonly JargonTerm[],
  { most, characters }: { readonly most: number; readonly characters: number },
): readonly JargonTerm[] {
  const taken: { readonly start: number; readonly end: number }[] = [];
  const found: JargonTerm[] = [];
  const byLength = [...terms].sort((a, b) => b.term.length - a.term.length || (a.term < b.term ? -1 : 1));
  for (const term of byLength) {
    const places = placesOf(question, term.term).filter(
      ({ start, end }) => !taken.some((other) => start < other.end && other.start < end),
    );
    if (places.length === 0) continue;
    taken.push(...places);
    found.push({ ...term, meaning: cut(term.meaning, characters) });
  }
  return found.slice(0, most);
}

function placesOf(question: string, term: string): { readonly start: number; readonly end: number }[] {
  const name = term.trim();
  if (name === '') return [];
  const isCased = name.length <= SHORT && name === name.toUpperCase();
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  const found = question.matchAll(wholeWords(pattern, isCased ? 'gu' : 'giu', question, '_'));
  return [...found].map(({ 0: text, index }) => ({ start: index, end: index + text.length }));
}

function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters - 1)}…` : text;
}
