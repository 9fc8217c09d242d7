import { scoreBy } from '../../../boundary/index.ts';
import { auc } from '../../metrics/auc.ts';
import { wilsonInterval } from '../../metrics/intervals.ts';
import type { LearntBoundary } from './learn-boundary.ts';
import type { LabelledQuestion } from './read-labelled.ts';

/** Figures in percent, with 95 % intervals; the AUC in [0, 1]. */
export type AnswerableMetrics = Readonly<Record<string, number>>;

/** How well a learned boundary tells questions that it was not learned from. */
export function measureAnswerable(
  questions: readonly LabelledQuestion[],
  { learned, found, falseRefusals }: LearntBoundary,
): AnswerableMetrics {
  const score = scoreBy(learned);
  const scored = questions.map(({ question, isAnswerable }) => ({ isAnswerable, score: score(question) }));
  const shareOf = (isAnswerable: boolean, name: string): readonly (readonly [string, number])[] => {
    const mine = scored.filter((each) => each.isAnswerable === isAnswerable);
    const hits = mine.filter((each) => each.score >= learned.threshold).length;
    const { low, high } = wilsonInterval(hits, mine.length);
    const percent = (share: number): number => Number((100 * share).toFixed(2));
    return [
      [name, percent(mine.length === 0 ? 0 : hits / mine.length)],
      [`${name}Low`, percent(low)],
      [`${name}High`, percent(high)],
    ];
  };
  return Object.fromEntries([
    ...shareOf(false, 'unanswerableFound'),
    ...shareOf(true, 'falseRefusalRate'),
    [
      'auc',
      Number(
        auc(
          scored.map((each) => each.score),
          scored.map((each) => Number(!each.isAnswerable)),
        ).toFixed(4),
      ),
    ],
    ['foundInCrossValidation', Number((100 * found).toFixed(2))],
    ['falseRefusalsInCrossValidation', Number((100 * falseRefusals).toFixed(2))],
  ]);
}
