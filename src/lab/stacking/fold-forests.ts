import {
  makeScorer,
  type TrainingSettings,
  type TreeModel,
  type TreeScorer,
  trainTrees,
} from '../../boosting/index.ts';
import type { SampledRows } from './sampled-rows.ts';

/** Forests for each fold that have not seen it (stacking, Wolpert 1992), and one that has seen everything. */
export interface FoldForests {
  /** Learned from every fold. */
  readonly all: TreeModel;
  /** Learned from the other folds. */
  of(fold: number): TreeScorer;
}

export interface FoldForestOptions {
  readonly folds: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (stage: string, done: number, total: number) => void;
}

/** Trains one forest without each fold and one with all rows. */
export async function foldForests(
  rows: SampledRows,
  settings: Partial<TrainingSettings>,
  { folds, signal, onProgress }: FoldForestOptions,
): Promise<FoldForests> {
  const cancel = signal === undefined ? {} : { signal };
  const scorers: TreeScorer[] = [];
  for (let fold = 0; fold < folds; fold += 1) {
    onProgress?.('forest', fold, folds + 1);
    const { model } = await trainTrees(rows.data(fold), { settings, ...cancel });
    scorers.push(makeScorer(model));
  }
  onProgress?.('forest', folds, folds + 1);
  const { model: all } = await trainTrees(rows.data(), { settings, ...cancel });
  const whole = makeScorer(all);
  return { all, of: (fold) => scorers[fold] ?? whole };
}
