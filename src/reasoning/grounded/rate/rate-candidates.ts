import type { TreeScorer } from '../../../boosting/index.ts';
import { type AskedModels, readAsked } from './asked.ts';
import { type Candidate, makeCandidates, type ReadQuestion } from './candidate.ts';
import { readingFeatures } from './reading-features.ts';

/** What the readings of a question are rated with. */
export interface RatingModels {
  readonly asked: AskedModels;
  readonly readings: TreeScorer;
  /** Learned from the verified pairs of a project; its opinion has as much weight. */
  readonly own?: TreeScorer;
}

export interface RatedCandidate extends Candidate {
  /** Log-odds that it is right. */
  readonly odds: number;
}

/** Log-odds that the candidate of a row is right. */
export function rateRow(
  row: ArrayLike<number>,
  { readings, own }: Pick<RatingModels, 'readings' | 'own'>,
): number {
  const known = readings.score(row);
  return own === undefined ? known : (known + own.score(row)) / 2;
}

/** What the rules read of a question and its neighbours, the likeliest first; equals stay in the order they were made. */
export function rateCandidates(question: ReadQuestion, models: RatingModels): RatedCandidate[] {
  const candidates = makeCandidates(question);
  const rows = readingFeatures(candidates, question, readAsked(question, models.asked));
  return candidates
    .map((candidate, at) => ({ ...candidate, odds: rateRow(rows[at] ?? [], models) }))
    .sort((a, b) => b.odds - a.odds);
}
