import type { Dimension, Metric, SemanticModel } from '../../../knowledge/index.ts';
import { nearestNames } from '../../../sql/index.ts';
import type { Boundary } from '../../reading.ts';
import type { GroundedKnowledge } from '../knowledge.ts';
import type { Mention } from '../mention/mention.ts';
import type { BoundMetric } from './bind-metric.ts';
import type { MetricFrame } from './metric-frame.ts';

/** Words of a metric question that nothing explains: a missing metric, grouping or filter, by where they stand. */
export function unknownTerm(frame: MetricFrame, knowledge: GroundedKnowledge): Boundary | null {
  const unknown = [...frame.unknown].sort((a, b) => rank(a.place) - rank(b.place))[0];
  if (unknown === undefined) return null;
  const { semantics } = knowledge;
  if (unknown.place === 'metric') {
    const names = semantics.metrics.map((metric) => metric.name);
    return {
      kind: 'reject',
      reason: 'metric',
      missing: unknown.text,
      message: `There is no metric “${unknown.text}”.`,
      nearest: nearestTo(unknown.text, names),
    };
  }
  const names = semantics.dimensions.map((dimension) => dimension.name);
  const message =
    unknown.place === 'group'
      ? `There is no dimension “${unknown.text}” to split by.`
      : `Nothing here is called “${unknown.text}”, so it cannot narrow the question.`;
  return {
    kind: 'reject',
    reason: 'dimension',
    missing: unknown.text,
    message,
    nearest: nearestTo(unknown.text, names),
  };
}

function rank(place: 'group' | 'metric' | 'filter'): number {
  return place === 'metric' ? 0 : place === 'group' ? 1 : 2;
}

/** Names that share a word come first, then those spelt alike. */
function nearestTo(text: string, names: readonly string[]): string[] {
  const words = text.toLowerCase().split(/\s+/);
  const sharing = names.filter((name) =>
    words.some((word) => word.length > 3 && name.toLowerCase().includes(word)),
  );
  return [...new Set([...sharing, ...nearestNames(text, names, 5)])].slice(0, 5);
}

/** A metric that only makes sense for one value of a dimension which the question does not name. */
export function missingDimension(
  bound: BoundMetric,
  question: string,
  knowledge: GroundedKnowledge,
): Boundary | null {
  const mandatory = [
    ...new Set([bound.metric, ...bound.parts].flatMap((metric) => metric.mandatoryDimensions)),
  ];
  const used = [
    ...bound.groups.flatMap((group) => group.dimension ?? []),
    ...bound.filters.flatMap((filter) => filter.dimension ?? []),
  ];
  const missing = mandatory.find(
    (name) => !used.some((dimension) => covers(dimension, name, knowledge.semantics)),
  );
  if (missing === undefined) return null;
  const dimension = knowledge.semantics.dimensions.find((item) => item.name === missing);
  const examples =
    dimension === undefined ? [] : (knowledge.graph.column(dimension.column).profile?.examples ?? []);
  const base = question.replace(/[?.!\s]+$/, '');
  const options = [
    { label: `for each ${missing}`, question: `${base} by ${missing}` },
    ...examples.slice(0, 4).map((value) => ({ label: value, question: `${base} for ${missing} ${value}` })),
  ];
  return {
    kind: 'follow_up',
    metric: bound.metric.name,
    dimension: missing,
    ask: `“${bound.metric.name}” is only meaningful for a ${missing}. Which ${missing} do you mean?`,
    options,
  };
}

/** A level below answers for the level above: a model names its series. */
function covers(dimension: Dimension, name: string, semantics: SemanticModel): boolean {
  let level: Dimension | undefined = dimension;
  for (let depth = 0; level !== undefined && depth < 10; depth++) {
    if (level.name === name || level.synonyms.includes(name)) return true;
    const parent: string | undefined = level.parent;
    level = parent === undefined ? undefined : semantics.dimensions.find((item) => item.name === parent);
  }
  return false;
}

/** A part of a metric's name. */
const HALF_NAMED = 0.6;

const YES_OR_NO = /^(?:did|do|does|have|has|are|is|were|was) (?:we|our|they|the)\b/i;

const MEASURE_HEAD =
  /^(?:what (?:is|was|were|are)|how (?:many|much|high|big|large)|show|give me|list|which|tell me|compare)\b/i;

/** A question for a figure that no metric carries: refused with the nearest metrics, or asked back when it half-names some. */
export function undefinedMetric(
  question: string,
  mentions: readonly Mention[],
  semantics: SemanticModel,
): Boundary | null {
  if (semantics.metrics.length === 0) return null;
  const partial = mentions.flatMap((mention) =>
    mention.nouns
      .filter((noun) => noun.kind === 'metric' && noun.score >= HALF_NAMED)
      .map((noun) => ({ mention, metric: noun.id })),
  );
  const unknown = mentions.filter((mention) => mention.isUnknown && !mention.isVerbLike);
  const isNounKnown = mentions.some(
    (mention) =>
      mention.cue === undefined && mention.nouns.some((noun) => noun.kind === 'table' && noun.score >= 0.85),
  );
  // "did we reach our targets" asks for a figure to judge by, not for rows.
  const isJudged = YES_OR_NO.test(question) && partial.length > 0;
  if (unknown.length === 0 && isNounKnown && !isJudged) return null;
  // "singers per gender": the table is known, the grouping is not; that is said better over the tables.
  const isGrouping = unknown.every((mention) => mentions[mention.index - 1]?.cue?.kind === 'group');
  if (isNounKnown && isGrouping && !isJudged) return null;
  const [first] = partial;
  if (first !== undefined && unknown.length === 0) {
    const names = [
      ...new Set(partial.filter((item) => item.mention === first.mention).map((item) => item.metric)),
    ].slice(0, 5);
    return {
      kind: 'clarify',
      gap: 'metric',
      phrase: first.mention.text,
      ask: `Which figure do you mean by “${first.mention.text}”?`,
      options: names.map((name) => ({
        label: name,
        question: question.replace(first.mention.text, () => name),
      })),
    };
  }
  const [lead] = mentions.filter((mention) => mention.cue?.kind !== 'stop');
  if (unknown.length === 0 || !(MEASURE_HEAD.test(question) || lead === unknown[0])) return null;
  const text = unknown.map((mention) => mention.text).join(' ');
  const names = semantics.metrics.map((metric: Metric) => metric.name);
  return {
    kind: 'reject',
    reason: 'metric',
    missing: text,
    message: `There is no metric “${text}”.`,
    nearest: nearestTo(text, names),
  };
}

/** "which dealer was the best": a ranking, and the only figure named is the thing that is ranked. */
export function vagueRanking(
  question: string,
  frame: MetricFrame,
  knowledge: GroundedKnowledge,
): Boundary | null {
  const [only, second] = frame.metrics;
  const { order } = frame;
  if (only === undefined || second !== undefined || order === undefined || frame.groups.length > 0)
    return null;
  const isThing = only.mention.nouns.some((noun) => noun.kind === 'dimension' && noun.score >= 0.85);
  if (!isThing) return null;
  const base = question.replace(/[?.!\s]+$/, '');
  const names = knowledge.semantics.metrics
    .filter((metric) => metric.name !== only.metric.name && metric.ratio === undefined)
    .slice(0, 5);
  return {
    kind: 'clarify',
    gap: 'intent',
    phrase: order.mention.text,
    ask: `“${order.mention.text}” by which figure?`,
    options: names.map((metric) => ({ label: metric.name, question: `${base} by ${metric.name}` })),
  };
}

/** A period for a figure that has no date: dropping it would answer another question. */
export function missingDate(bound: BoundMetric, frame: MetricFrame): Boundary | null {
  const [window] = frame.windows;
  // A rate keeps the period on the part that has a date.
  const dateless = bound.parts.every((part) => part.timeColumn === undefined) ? bound.parts[0] : undefined;
  if (window === undefined || dateless === undefined) return null;
  return {
    kind: 'reject',
    reason: 'dimension',
    missing: window.label,
    message: `“${dateless.name}” has no date, so it cannot be told for “${window.label}”.`,
    nearest: [`${dateless.name} as of now`],
  };
}

/** Two figures that no "and" joins ("customers signed an order"): which one is meant? */
export function unjoinedMetrics(
  question: string,
  frame: MetricFrame,
  mentions: readonly Mention[],
): Boundary | null {
  const [first, second] = frame.metrics;
  if (first === undefined || second === undefined) return null;
  const [from, to] = [first.mention.index, second.mention.index].sort((a, b) => a - b);
  const between = mentions.slice((from ?? 0) + 1, to);
  const isJoined =
    between.length === 0 ||
    between.some(
      (mention) =>
        mention.isComma ||
        /^(?:and|or|growth|both|share)$/.test(mention.cue?.kind ?? '') ||
        /^(?:against|versus|vs|to|with|over)$/i.test(mention.text),
    );
  if (isJoined) return null;
  const phrase = question.slice(first.mention.span.start, second.mention.span.end);
  return {
    kind: 'clarify',
    gap: 'metric',
    phrase,
    ask: `Which figure do you mean by “${phrase}”?`,
    options: [first, second].map(({ metric }) => ({
      label: metric.name,
      question: question.replace(phrase, () => metric.name),
    })),
  };
}
