/** Metrics and dimensions that a question means by their name, a synonym or what is said of them. */
import { indexTerms } from '../search/search-terms.ts';
import { fitting, type TextAsked } from './fitting.ts';
import type { Found } from './retrieved.ts';

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
