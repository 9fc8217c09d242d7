import type { Assumption } from '../../../answer.ts';
import type { Metric, SemanticModel } from '../../../knowledge/semantic/index.ts';
import { DIALECTS } from '../../../sql/dialects/index.ts';
import { printQuery } from '../../../sql/print/index.ts';
import type { Boundary, Reading, SeenBoundary, UnreadWords } from '../../roles/reading.ts';
import type { GroundedKnowledge } from '../knowledge/knowledge.ts';
import { explainQuery } from '../query/explain/explain-query.ts';
import { queryNames } from '../query/explain/part-text.ts';
import type { ReadWords } from '../question/dialogue/turn.ts';
import { type Mention, mentionNote } from '../question/mention/mention.ts';
import { isoDate, yearStart } from '../question/read/calendar.ts';
import type { TimeWindow } from '../question/read/find-times.ts';
import { type BoundMetric, bindMetric } from './bind/bind-metric.ts';
import { filterAssumptions } from './bind/default-filters.ts';
import { phraseConditions } from './bind/phrase-conditions.ts';
import { type RowCondition, rowCondition } from './bind/row-condition.ts';
import { sameName } from './bind/same-name.ts';
import { buildMetricQuery } from './build-metric-query.ts';
import type { MetricFrame } from './frame/metric-frame.ts';
import { findHints } from './frame/metric-hints.ts';
import { countedTogether, namedMetric } from './frame/metric-words.ts';
import { parseMetricDialogue } from './parse/parse-metric-dialogue.ts';
import { parseMetricFrame } from './parse/parse-metric-frame.ts';
import { mandatoryConstraint } from './rules/mandatory-constraint.ts';
import { missingDate } from './rules/missing-date.ts';
import { sharedWord } from './rules/shared-word.ts';
import { nearestTo, undefinedFigure, undefinedMetric } from './rules/undefined-metric.ts';
import { unmeasuredRanking } from './rules/unmeasured-ranking.ts';
import { vagueIntent } from './rules/vague-intent.ts';
import { absentFrom } from './shapes/absence.ts';
import { wordsWithoutEffect } from './words-without-effect.ts';

export interface MetricOutcome {
  readonly reading?: Reading;
  readonly boundary?: SeenBoundary;
}

/**
 * Reads a question in the words of the semantic model. Undefined when it names no metric and may be a plain
 * question about tables. Order of refusal: reject, follow-up, clarify, then SQL.
 */
export function readMetrics(
  question: string,
  words: ReadWords,
  knowledge: GroundedKnowledge,
  now: Date,
  percent?: number,
): MetricOutcome | undefined {
  const { mentions } = words;
  const frame = { ...frameOf(words, knowledge.semantics), percent };
  if (frame.metrics.length === 0) {
    const boundary =
      unmeasuredRanking(question, mentions, knowledge.semantics) ??
      undefinedMetric(question, mentions, knowledge.semantics);
    return boundary === null ? undefined : { boundary };
  }
  if (isListing(question, frame, mentions) || hasTwoRoles(frame, knowledge.semantics)) return undefined;
  // "how many depots and how many vehicles" where only vehicles are a figure: rows of tables are counted.
  if (countedTogether(mentions).some((one) => namedMetric(one, knowledge.semantics) === undefined))
    return undefined;
  const unknown =
    sharedWord(question, frame, { mentions, knowledge }) ??
    undefinedFigure(frame, knowledge) ??
    missingDimension(frame, knowledge);
  if (unknown !== null) return { boundary: unknown };
  if (frame.absence !== undefined && words.dialogue === undefined) {
    const absent = readAbsence(frame, frame.absence.metric, words, knowledge, question, now);
    if (absent !== null) return absent;
  }
  const unclear = vagueIntent(question, frame, knowledge) ?? ambiguousTerm(question, frame, mentions);
  if (unclear !== null) return { boundary: unclear };
  const named: BoundMetric[] = [];
  const boundaries: SeenBoundary[] = [];
  for (const { metric } of frame.metrics) {
    const binding = bindMetric(metric, frame, knowledge, question);
    if ('boundary' in binding) {
      boundaries.push(binding.boundary);
      continue;
    }
    const followUp =
      missingDate(binding.bound, frame, mentions, knowledge) ??
      mandatoryConstraint(binding.bound, question, knowledge) ??
      sameName(binding.bound, question, knowledge);
    if (followUp !== null) boundaries.push(followUp);
    else named.push(binding.bound);
  }
  const boundary = boundaries.sort((a, b) => refusalOrder(a) - refusalOrder(b))[0];
  if (boundary !== undefined) return { boundary };
  const said = phraseConditions(named, words, knowledge);
  if (said === undefined) return undefined;
  const bounds = named.map((bound) => ({ ...bound, filters: [...bound.filters, ...said] }));
  const condition =
    words.dialogue === undefined ? rowCondition(frame, bounds, mentions, knowledge) : undefined;
  if (isPartlyRead(frame, bounds, words, knowledge.semantics, condition?.held)) return undefined;
  if (condition !== undefined)
    return conditional({ question, frame, bounds, condition }, mentions, knowledge, now);
  const hidden = onlyPassing(frame, knowledge, question);
  if (hidden === null) return undefined;
  const { windows, assumptions } = resolveWindows({ question, frame, bounds }, knowledge, now);
  const query = buildMetricQuery(bounds, frame, windows, knowledge, hidden);
  if (query === null) return undefined;
  return { reading: toReading(query, frame, bounds, assumptions, mentions, knowledge) };
}

/** A figure of the rows that pass a condition of their own. */
function conditional(
  {
    question,
    frame: { having: _having, ...frame },
    bounds,
    condition,
  }: { question: string; frame: MetricFrame; bounds: readonly BoundMetric[]; condition: RowCondition },
  mentions: readonly Mention[],
  knowledge: GroundedKnowledge,
  now: Date,
): MetricOutcome | undefined {
  const narrowed = bounds.map((bound) => ({ ...bound, filters: [...bound.filters, condition.filter] }));
  const { windows, assumptions } = resolveWindows({ question, frame, bounds: narrowed }, knowledge, now);
  const query = buildMetricQuery(narrowed, frame, windows, knowledge);
  return query === null
    ? undefined
    : { reading: toReading(query, frame, narrowed, assumptions, mentions, knowledge) };
}

/** Rows that have none of a figure; null where the words say something else beside it. */
function readAbsence(
  frame: MetricFrame,
  metric: Metric,
  words: ReadWords,
  knowledge: GroundedKnowledge,
  question: string,
  now: Date,
): MetricOutcome | null {
  const binding = bindMetric(metric, { ...frame, groups: [] }, knowledge, question);
  if ('boundary' in binding) return { boundary: binding.boundary };
  const absent = binding.bound;
  if (isPartlyRead(frame, [absent], words, knowledge.semantics)) return null;
  const asked = { question, frame, bounds: [absent] };
  // "never" means at any time: no period is taken where none is named.
  const { windows, assumptions } =
    frame.windows.length === 0 ? { windows: [], assumptions: [] } : resolveWindows(asked, knowledge, now);
  const countsThings = words.mentions.some(({ cue }) => cue?.kind === 'count');
  const query = absentFrom({
    frame: { ...frame, countsGroups: frame.countsGroups || (frame.groups.length === 0 && countsThings) },
    absent,
    windows,
    knowledge,
  });
  return query === null
    ? null
    : { reading: toReading(query, frame, [absent], assumptions, words.mentions, knowledge) };
}

/** Something in the question would have no effect: the tables may be able to say it. */
function isPartlyRead(
  frame: MetricFrame,
  bounds: readonly BoundMetric[],
  { tokens, mentions, dialogue }: ReadWords,
  semantics: SemanticModel,
  held: readonly Mention[] = [],
): boolean {
  if (dialogue !== undefined) return false;
  const { scattered } = findHints(tokens, semantics);
  return wordsWithoutEffect(frame, bounds, mentions, scattered, held).length > 0;
}

/** The figure that groups must pass by and that is not asked for; null where it cannot be told for them. */
function onlyPassing(
  frame: MetricFrame,
  knowledge: GroundedKnowledge,
  question: string,
): BoundMetric | undefined | null {
  const metric = frame.having?.metric;
  if (metric === undefined || frame.metrics.some((item) => item.metric.name === metric.name))
    return undefined;
  const binding = bindMetric(metric, frame, knowledge, question);
  return 'boundary' in binding ? null : binding.bound;
}

function frameOf({ tokens, mentions, dialogue }: ReadWords, semantics: SemanticModel): MetricFrame {
  return dialogue === undefined
    ? parseMetricFrame(mentions, semantics, findHints(tokens, semantics))
    : parseMetricDialogue(dialogue, tokens, mentions, semantics);
}

/** "incoming and outgoing shipments per depot": both keys to one table are meant, and a figure goes by one. */
function hasTwoRoles({ roles, metrics }: MetricFrame, { relationships, datasets }: SemanticModel): boolean {
  const measured = new Set(metrics.map(({ metric }) => metric.table));
  const meant = relationships.filter(({ name, from }) => {
    const table = datasets.find((dataset) => dataset.name === from)?.table ?? from;
    return roles.includes(name) && measured.has(table);
  });
  return meant.some(({ from, to }, at) =>
    meant.slice(at + 1).some((other) => other.from === from && other.to === to),
  );
}

/** "list the names of all dealers": the rows are wanted, not the figure that has their name. */
function isListing(question: string, frame: MetricFrame, mentions: readonly Mention[]): boolean {
  const [only, second] = frame.metrics;
  const isThing = only?.mention.nouns.some((noun) => noun.kind === 'table' && noun.score >= 0.9) ?? false;
  const asksFigure = mentions.some(
    (mention) =>
      mention.cue !== undefined &&
      /^(?:count|aggregate|share|growth|superlative|group|by)$/.test(mention.cue.kind),
  );
  return (
    isThing &&
    second === undefined &&
    !asksFigure &&
    frame.groups.length === 0 &&
    /^(?:please )?(?:list|show|give me|name|what are|which)\b.*\b(?:names?|list|all)\b/i.test(question)
  );
}

/** "sold" is told of as the figure that people mean by it first. */
function saleAssumption({ sale, metrics }: MetricFrame): Assumption[] {
  const metric = metrics.find(({ mention }) => mention === sale)?.metric;
  return sale === undefined || metric === undefined
    ? []
    : [{ kind: 'value', text: `“${sale.text}” was read as “${metric.name}”.` }];
}

function refusalOrder(boundary: SeenBoundary): number {
  return boundary.kind === 'reject' ? 0 : boundary.kind === 'follow_up' ? 1 : 2;
}

function toReading(
  query: NonNullable<ReturnType<typeof buildMetricQuery>>,
  frame: MetricFrame,
  bounds: readonly BoundMetric[],
  assumptions: readonly Assumption[],
  mentions: readonly Mention[],
  knowledge: GroundedKnowledge,
): Reading {
  const { sql, parts } = printQuery(query, DIALECTS[knowledge.catalog.dialect]);
  const measured = new Set(bounds.flatMap((bound) => bound.parts.flatMap((part) => part.table ?? [])));
  return {
    query,
    sql,
    parts,
    explanation: explainQuery(query, queryNames(knowledge)),
    probability: metricProbability(frame, bounds, mentions),
    rules: ['metric'],
    assumptions: [...saleAssumption(frame), ...assumptions, ...filterAssumptions(measured, knowledge)],
    mentions: mentions.map(mentionNote),
    unexplained: [],
    metrics: bounds.map((bound) => bound.metric.name),
    dimensions: bounds[0]?.groups.map((group) => group.dimension?.name ?? '') ?? [],
  };
}

/**
 * Probability in [0, 1] that a reading in the words of the semantic model is right: full names of metrics,
 * dimensions and values weigh for it; words left over, inexact names and shapes of several steps against it.
 */
function metricProbability(
  frame: MetricFrame,
  bounds: readonly BoundMetric[],
  mentions: readonly Mention[],
): number {
  const leftOver = mentions.filter((mention) => mention.isUnknown).length;
  const [first] = bounds;
  const nameScores = frame.metrics.map(
    ({ mention }) => mention.nouns.find((noun) => noun.kind === 'metric')?.score ?? 0.8,
  );
  const valueScores = (first?.filters ?? []).map((filter) =>
    Math.min(1, filter.term.mention.values.find((value) => value.columnId === filter.columnId)?.score ?? 0.8),
  );
  const inexact = [...nameScores, ...valueScores].reduce((sum, score) => sum + (1 - score), 0);
  const steps = [
    frame.isShare,
    frame.showsRanks,
    frame.growth !== undefined,
    frame.isPerGroup,
    frame.having?.isAverage === true,
    bounds.length > 1,
  ].filter(Boolean).length;
  const logit = 3 - 0.6 * leftOver - 2.5 * inexact - 0.5 * steps - 0.15 * (first?.filters.length ?? 0);
  return 1 / (1 + Math.exp(-logit));
}

const ALL = { choice: 'all', label: 'all periods' };
const CURRENT = { choice: 'current-year', label: 'the current year' };

interface Asked {
  readonly question: string;
  readonly frame: MetricFrame;
  readonly bounds: readonly BoundMetric[];
}

/** The periods of a metric question. No time in it: the rule of the semantic model, or what a person wants, as an assumption. */
function resolveWindows(
  { question, frame, bounds }: Asked,
  { semantics, assume }: GroundedKnowledge,
  now: Date,
): { readonly windows: readonly TimeWindow[]; readonly assumptions: readonly Assumption[] } {
  const { windows } = frame;
  if (windows.length > 0 || bounds.some(namesTime))
    return { windows, assumptions: windows.flatMap((window) => takenYear(window, question)) };
  // Customers are counted as they are today: no period narrows them, so none was taken.
  if (bounds.every(({ parts }) => parts.every(({ timeColumn }) => timeColumn === undefined)))
    return { windows, assumptions: [] };
  const rule = assume?.time ?? semantics.timeRules.defaultWindow;
  if (rule === ALL.choice) return { windows, assumptions: assume?.time === undefined ? [] : [everyPeriod()] };
  if (bounds.some(groupsByYear)) return { windows: [], assumptions: [] };
  const start = yearStart(now);
  const year = start.getUTCFullYear();
  const window: TimeWindow = {
    start: 0,
    end: 0,
    from: isoDate(start),
    until: `${year + 1}-01-01`,
    label: String(year),
    grain: 'year',
    year,
    isRelative: true,
  };
  const text = `No period was named: the current year, ${year}, was taken.`;
  const assumption: Assumption = {
    kind: 'time',
    id: 'time',
    taken: CURRENT.choice,
    text,
    alternatives: [ALL],
  };
  return { windows: [window], assumptions: [assumption] };
}

function everyPeriod(): Assumption {
  const text = 'No period was named: all of them were taken.';
  return { kind: 'time', id: 'time', taken: ALL.choice, text, alternatives: [CURRENT] };
}

function namesTime(bound: BoundMetric): boolean {
  return bound.filters.some((filter) => filter.dimension?.isTime === true);
}

function groupsByYear(bound: BoundMetric): boolean {
  return bound.groups.some(
    ({ dimension, term }) => dimension?.name === 'year' || (term.kind === 'time' && term.part === 'year'),
  );
}

/** "in March" names no year; the year before is what else may be meant. */
function takenYear({ isYearTaken, label, from, start, end }: TimeWindow, question: string): Assumption[] {
  if (isYearTaken !== true || from === undefined) return [];
  const year = from.slice(0, 4);
  const before = String(Number(year) - 1);
  const alone = `${question.slice(0, start)}${question.slice(start, end).trim()} ${before}${question.slice(end)}`;
  return [
    {
      ...{ kind: 'time', id: 'year', taken: year },
      text: `No year was named: “${label}” was read as that of ${year}.`,
      alternatives: [{ choice: before, label: `${label} ${before}`, question: alone }],
    },
  ];
}

/** Words to split or narrow by that nothing explains; a grouping goes first. */
function missingDimension(frame: MetricFrame, { semantics }: GroundedKnowledge): UnreadWords | null {
  const unknown = ['group', 'filter'].flatMap((place) =>
    frame.unknown.filter((term) => term.place === place),
  )[0];
  if (unknown === undefined) return null;
  const names = semantics.dimensions.map((dimension) => dimension.name);
  return {
    kind: 'unread',
    reason: 'dimension',
    use: unknown.place === 'group' ? 'split' : 'narrow',
    phrases: [unknown.text],
    suggested: nearestTo(unknown.text, names),
  };
}

/** Two figures that no "and" joins ("customers signed an order"): which one is meant? */
function ambiguousTerm(question: string, frame: MetricFrame, mentions: readonly Mention[]): Boundary | null {
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
