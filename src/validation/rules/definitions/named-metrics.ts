/** The metrics that a question names. */
import type { Metric, SemanticModel } from '../../../knowledge/index.ts';
import { metricsApart } from './named-apart.ts';
import type { Place, QuestionWords } from './question-words.ts';

export interface NamedMetric {
  /** For a ratio one of the two that it divides. */
  readonly metric: Metric;
  readonly places: readonly Place[];
  /** An output of the query is called so, and the question says nothing of it. */
  readonly isAliased?: boolean;
}

interface Named {
  readonly metric: Metric;
  readonly at: readonly number[];
}

/**
 * The metrics that a question may mean; more than one list where two metrics are named by the same number of words. The longest names
 * first: a metric whose name is part of another's that is named is not meant by it.
 */
export function namedMetrics(
  words: QuestionWords,
  { metrics }: SemanticModel,
): readonly (readonly NamedMetric[])[] {
  const whole = metrics.flatMap((metric) =>
    [metric.name, ...metric.synonyms].flatMap((name) =>
      words.placesOf(name).map((place): Named => ({ metric, at: placesIn(place) })),
    ),
  );
  const apart = metricsApart(words, metrics).filter((one) => isMeant(one, whole));
  const meant = longest([...whole, ...apart]);
  // “what share of orders was cancelled”: the orders are meant, too.
  const parted = words.hasShare ? [[...longest(whole), ...longest(apart)]] : [];
  return [...choices(meant), ...parted].map((reading) => byMetric(reading, metrics));
}

function longest(named: readonly Named[]): readonly Named[] {
  return named.filter((one) => !named.some((other) => isLonger(other, one)));
}

/** One list for each of the metrics that the very same words name; “booked … delivered late” names all of them. */
function choices(meant: readonly Named[]): readonly (readonly Named[])[] {
  const open = meant.filter((one) =>
    meant.some((other) => other.metric !== one.metric && isSamePlace(one, other)),
  );
  if (open.length === 0) return [meant];
  const sure = meant.filter((one) => !open.includes(one));
  const metrics = [...new Set(open.map(({ metric }) => metric))];
  return metrics.map((metric) => [...sure, ...open.filter((one) => one.metric === metric)]);
}

function isSamePlace({ at }: Named, other: Named): boolean {
  return other.at.length === at.length && other.at.every((place) => at.includes(place));
}

function placesIn({ start, end }: Place): readonly number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset);
}

/** It covers every plain name that it touches; where it touches none, no other metric of its table is named. */
function isMeant({ metric, at }: Named, whole: readonly Named[]): boolean {
  const touched = whole.filter((one) => one.at.some((place) => at.includes(place)));
  if (touched.length > 0) return touched.every((one) => one.at.every((place) => at.includes(place)));
  return !whole.some((one) => one.metric.table === metric.table);
}

function isLonger(other: Named, one: Named): boolean {
  return other.at.length > one.at.length && other.at.some((place) => one.at.includes(place));
}

function byMetric(reading: readonly Named[], metrics: readonly Metric[]): readonly NamedMetric[] {
  const found = new Map<Metric, Place[]>();
  for (const { metric, at } of reading)
    for (const part of partsOf(metric, metrics)) found.set(part, [...(found.get(part) ?? []), ...runsOf(at)]);
  return [...found].map(([metric, places]) => ({ metric, places }));
}

/** Neighbours are one place. */
function runsOf(at: readonly number[]): readonly Place[] {
  const sorted = [...new Set(at)].sort((one, other) => one - other);
  const starts = sorted.filter((place) => !sorted.includes(place - 1));
  return starts.map((start) => {
    let end = start + 1;
    while (sorted.includes(end)) end += 1;
    return { start, end };
  });
}

/** A ratio is dated and conditioned as the two metrics that it divides. */
export function partsOf(metric: Metric, metrics: readonly Metric[]): readonly Metric[] {
  const { ratio } = metric;
  if (ratio === undefined) return [metric];
  return metrics.filter(({ name }) => name === ratio.numerator || name === ratio.denominator);
}
