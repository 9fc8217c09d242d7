/** How often texts of a similarity meet in MinHash LSH, beside what the theory says of them. */
import { createRandom } from '../../src/demo/motors/random.ts';
import { collectGrams, gramJaccard } from '../../src/knowledge/values/search/grams.ts';
import {
  buildLshSections,
  chanceToMeet,
  chooseBands,
  LshSearch,
} from '../../src/knowledge/values/search/lsh-search.ts';
import { generateValues } from './generate-values.ts';

export interface RecallRow {
  readonly permutations: number;
  readonly threshold: number;
  readonly jaccard: string;
  readonly pairs: number;
  readonly recall: number;
  readonly theory: number;
}

/** Settings with their thresholds: CHESS, the defaults of ThothAI, its shipped settings (thoth.md, section 6.2). */
const SETTINGS = [
  { permutations: 100, threshold: 0.01 },
  { permutations: 30, threshold: 0.01 },
  { permutations: 30, threshold: 0.35 },
] as const;
const BINS = [0.05, 0.1, 0.2, 0.3, 0.5];
const SEED = 11;

export function measureLshRecall(texts: number, asked: number): RecallRow[] {
  const values = generateValues(texts, SEED).flatMap((column) => column.values.map(([text]) => text));
  const random = createRandom(SEED);
  const queries = Array.from({ length: asked }, () => random.integer(0, values.length - 1));
  const grams = collectGrams(values, () => true);
  return SETTINGS.flatMap(({ permutations, threshold }) => {
    const cut = chooseBands(permutations, threshold);
    const options = { ...cut, permutations, seed: SEED };
    const search = new LshSearch(buildLshSections(grams, options), options, values.length);
    const bins = BINS.map((from) => ({ from, pairs: 0, met: 0, expected: 0 }));
    for (const query of queries) {
      const text = values[query] ?? '';
      const met = new Set(search.meeting(text));
      for (const [place, other] of values.entries()) {
        if (place === query) continue;
        const jaccard = gramJaccard(text, other);
        const bin = bins.findLast(({ from }) => jaccard >= from);
        if (bin === undefined) continue;
        bin.pairs += 1;
        bin.met += met.has(place) ? 1 : 0;
        bin.expected += chanceToMeet(jaccard, cut);
      }
    }
    return bins
      .filter(({ pairs }) => pairs > 0)
      .map(({ from, pairs, met, expected }) => {
        const jaccard = `from ${from}`;
        return { permutations, threshold, jaccard, pairs, recall: met / pairs, theory: expected / pairs };
      });
  });
}
