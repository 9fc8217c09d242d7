/** Two rankers of schemas, each trained on half of the databases: what one says of the other half it has not learned. */
import { makeScorer } from '../../../boosting/index.ts';
import { type LinkForests, prepareLinker } from '../../../reasoning/grounded/linking/index.ts';
import type { LinkSet } from '../../linking/index.ts';
import { trainLinker } from '../../linking/training/train-linker.ts';
import { type TrainingCase, toTrainingCase } from '../../linking/training/training-case.ts';

export interface HalfLinkersOptions {
  /** Of each database's questions every nth is learned from. */
  readonly every: number;
  readonly seed: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (stage: string, done: number, of: number) => void;
}

/** The ranker that has not seen a database of a set. */
export type ForestsOf = (set: string, database: string) => LinkForests;

/** Inside a half, as `trainLinker` stacks its forests. */
const FOLDS = 2;

/**
 * The rankers that come with Candor were trained on these very questions and know too much of them; a model of
 * uncertainty that learned from their opinions would trust them too far elsewhere. Databases without stored values.
 */
export async function trainHalfLinkers(
  sets: readonly LinkSet[],
  { every, seed, signal, onProgress }: HalfLinkersOptions,
): Promise<ForestsOf> {
  const places = new Map<string, number>();
  for (const { name, databases } of sets)
    for (const database of [...databases.keys()].sort()) places.set(`${name} ${database}`, places.size);
  const halfOf = (set: string, database: string): number => (places.get(`${set} ${database}`) ?? 0) % 2;
  const forests: LinkForests[] = [];
  for (const half of [0, 1]) {
    const cases = sets.flatMap((set) => {
      const foldOf = (database: string): number =>
        Math.floor((places.get(`${set.name} ${database}`) ?? 0) / 2) % FOLDS;
      return casesOf(set, { isIn: (database) => halfOf(set.name, database) === half, foldOf, every });
    });
    const trained = await trainLinker(cases, {
      folds: FOLDS,
      seed: seed + half,
      ...(signal && { signal }),
      onProgress: (stage, done, of) => onProgress?.(`linker ${half + 1} of 2, ${stage}`, done, of),
    });
    forests.push({
      first: makeScorer(trained.first),
      second: makeScorer(trained.second),
      table: makeScorer(trained.table),
    });
  }
  const [learnedEven, learnedOdd] = forests as [LinkForests, LinkForests];
  return (set, database) => (halfOf(set, database) === 0 ? learnedOdd : learnedEven);
}

function casesOf(
  { databases, cases }: LinkSet,
  chosen: {
    readonly isIn: (database: string) => boolean;
    readonly foldOf: (database: string) => number;
    readonly every: number;
  },
): readonly TrainingCase[] {
  return [...databases].flatMap(([name, { catalog }]) => {
    if (!chosen.isIn(name)) return [];
    const linker = prepareLinker(catalog);
    return cases
      .filter(({ database }) => database === name)
      .filter((_, at) => at % chosen.every === 0)
      .map((each) => toTrainingCase(each, linker, { fold: chosen.foldOf(name), weight: 1 }));
  });
}
