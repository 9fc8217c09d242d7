/** Word search over short lists in memory: notes, verified pairs, metrics. Tables and columns are in the search store. */
import { indexTerms } from '../../search/search-terms.ts';

interface WordMatch {
  /** Place in the list. */
  readonly position: number;
  /** BM25 over one more rare word's worth of it, in [0, 1): one rare word gives about .5, two .67, a common one little. */
  readonly relevance: number;
  /** Words in both over words in either, rare ones counting more (Dice), in [0, 1]. */
  readonly likeness: number;
}

export interface WordIndex {
  /** What shares a term with the question, in the order of the list. */
  search(terms: readonly string[]): readonly WordMatch[];
}

const K1 = 1.2;
const B = 0.75;

/** Robertson's BM25 with the idf that stays positive; lengths in terms. */
export function indexWords(texts: readonly string[]): WordIndex {
  const documents = texts.map((text) => countTerms(indexTerms(text)));
  const holders = new Map<string, number[]>();
  for (const [position, { counts }] of documents.entries())
    for (const term of counts.keys()) {
      const known = holders.get(term);
      if (known === undefined) holders.set(term, [position]);
      else known.push(position);
    }
  const size = documents.length;
  const meanLength = documents.reduce((total, { length }) => total + length, 0) / Math.max(1, size);
  const rarity = (term: string): number => {
    const count = holders.get(term)?.length ?? 0;
    return Math.log(1 + (size - count + 0.5) / (count + 0.5));
  };
  const rarest = Math.log(1 + (size - 0.5) / 1.5);
  const weights = documents.map(({ counts }) => total([...counts.keys()].map(rarity)));
  return {
    search(terms) {
      const asked = [...new Set(terms)];
      const askedWeight = total(asked.filter((term) => holders.has(term)).map(rarity));
      const positions = new Set(asked.flatMap((term) => holders.get(term) ?? []));
      return [...positions]
        .sort((a, b) => a - b)
        .map((position) => {
          const { counts, length } = documents[position] ?? NOTHING;
          const shared = asked.filter((term) => counts.has(term));
          const norm = K1 * (1 - B + (B * length) / Math.max(1, meanLength));
          const bm25 = total(
            shared.map((term) => {
              const count = counts.get(term) ?? 0;
              return (rarity(term) * count * (K1 + 1)) / (count + norm);
            }),
          );
          const common = total(shared.map(rarity));
          const likeness = (2 * common) / (askedWeight + (weights[position] ?? 0));
          return { position, relevance: bm25 / (bm25 + rarest), likeness };
        });
    },
  };
}

const NOTHING = { counts: new Map<string, number>(), length: 0 };

function countTerms(terms: readonly string[]) {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
