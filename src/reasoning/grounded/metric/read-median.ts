import type { GroundedKnowledge } from '../knowledge/knowledge.ts';
import { MEDIAN } from '../query/plan/shapes/quantile-query.ts';
import type { ReadWords } from '../question/dialogue/turn.ts';
import { findMentions } from '../question/mention/find-mentions.ts';
import type { TimeWindow } from '../question/read/find-times.ts';
import { type MetricOutcome, readMetrics } from './read-metrics.ts';

/**
 * "median order price by brand" where the model has an average order price: the question is read as if it asked for the average, and
 * the value in the middle is taken in place of it. Undefined where no such reading comes of it.
 */
export function readMedian(
  question: string,
  { tokens, mentions, dialogue }: ReadWords,
  times: readonly TimeWindow[],
  knowledge: GroundedKnowledge,
  now: Date,
): MetricOutcome | undefined {
  const said = mentions.filter(({ cue }) => cue?.kind === 'quantile');
  const [only] = said;
  // "the average and the median" are two figures.
  const isMore = said.length > 1 || mentions.some(({ cue }) => cue?.kind === 'aggregate');
  const isMedian = only?.cue?.kind === 'quantile' && only.cue.percent === MEDIAN;
  if (!isMedian || isMore || dialogue !== undefined || knowledge.semantics.metrics.length === 0)
    return undefined;
  const asAverage = tokens.map((token) =>
    token.lower === 'median' ? { ...token, lower: 'average', lemma: 'average' } : token,
  );
  const found = findMentions(question, asAverage, times, knowledge);
  const outcome = readMetrics(
    question,
    { tokens: asAverage, mentions: found, dialogue },
    knowledge,
    now,
    MEDIAN,
  );
  return outcome?.reading === undefined ? undefined : outcome;
}
