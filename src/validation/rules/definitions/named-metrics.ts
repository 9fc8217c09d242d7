/** The metrics that a question names. */
import type { Metric, SemanticModel } from '../../../knowledge/index.ts';
import { overlaps, type Place, type QuestionWords } from './question-words.ts';

export interface NamedMetric {
  /** For a ratio one of the two that it divides. */
  readonly metric: Metric;
  readonly places: readonly Place[];
}

/** The longest names first: a metric whose name is part of another's that is named is not meant by it. */
export function namedMetrics(words: QuestionWords, { metrics }: SemanticModel): readonly NamedMetric[] {
  const named = metrics.flatMap((metric) =>
    [metric.name, ...metric.synonyms].flatMap((name) =>
      words.placesOf(name).map((place) => ({ metric, place })),
    ),
  );
  const meant = named.filter(
    ({ place }) =>
      !named.some(({ place: other }) => overlaps(place, other) && lengthOf(other) > lengthOf(place)),
  );
  const byMetric = new Map<Metric, Place[]>();
  for (const { metric, place } of meant)
    for (const part of partsOf(metric, metrics)) byMetric.set(part, [...(byMetric.get(part) ?? []), place]);
  return [...byMetric].map(([metric, places]) => ({ metric, places }));
}

function lengthOf({ start, end }: Place): number {
  return end - start;
}

/** A ratio is dated and conditioned as the two metrics that it divides. */
function partsOf(metric: Metric, metrics: readonly Metric[]): readonly Metric[] {
  const { ratio } = metric;
  if (ratio === undefined) return [metric];
  return metrics.filter(({ name }) => name === ratio.numerator || name === ratio.denominator);
}
