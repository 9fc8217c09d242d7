import type { Assumption } from '../../../answer.ts';
import type { SemanticModel } from '../../../knowledge/index.ts';
import { DIALECTS, printQuery } from '../../../sql/index.ts';
import type { Boundary, Reading } from '../../reading.ts';
import { parseMetricDialogue } from '../dialogue/parse-metric-dialogue.ts';
import type { Dialogue } from '../dialogue/turn.ts';
import type { GroundedKnowledge } from '../knowledge.ts';
import type { Mention } from '../mention/mention.ts';
import { mentionNote } from '../mention/mention-note.ts';
import { isoDate, yearStart } from '../read/calendar-days.ts';
import type { TimeWindow } from '../read/find-times.ts';
import type { Token } from '../read/tokenise.ts';
import { metricProbability } from '../score/metric-probability.ts';
import { type BoundMetric, bindMetric } from './bind-metric.ts';
import { buildMetricQuery } from './build-metric-query.ts';
import { explainMetrics } from './explain-metrics.ts';
import { findHints } from './find-hints.ts';
import {
  missingDate,
  missingDimension,
  undefinedMetric,
  unjoinedMetrics,
  unknownTerm,
  vagueRanking,
} from './metric-boundary.ts';
import type { MetricFrame } from './metric-frame.ts';
import { parseMetricFrame } from './parse-metric-frame.ts';
import { sameName } from './same-name.ts';
import { sharedWord } from './shared-word.ts';
import { unmeasuredRanking } from './unmeasured-ranking.ts';

/** The words of a question, and how its turns hang together where it is a conversation. */
export interface ReadWords {
  readonly tokens: readonly Token[];
  readonly mentions: readonly Mention[];
  readonly dialogue: Dialogue | undefined;
}

export interface MetricOutcome {
  readonly reading?: Reading;
  readonly boundary?: Boundary;
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
): MetricOutcome | undefined {
  const { mentions } = words;
  const frame = frameOf(words, knowledge.semantics);
  if (frame.metrics.length === 0) {
    const boundary =
      unmeasuredRanking(question, mentions, knowledge.semantics) ??
      undefinedMetric(question, mentions, knowledge.semantics);
    return boundary === null ? undefined : { boundary };
  }
  if (isListing(question, frame, mentions)) return undefined;
  const unknown = sharedWord(question, frame, { mentions, knowledge }) ?? unknownTerm(frame, knowledge);
  if (unknown !== null) return { boundary: unknown };
  const unclear = vagueRanking(question, frame, knowledge) ?? unjoinedMetrics(question, frame, mentions);
  if (unclear !== null) return { boundary: unclear };
  const bounds: BoundMetric[] = [];
  const boundaries: Boundary[] = [];
  for (const { metric } of frame.metrics) {
    const binding = bindMetric(metric, frame, knowledge, question);
    if ('boundary' in binding) {
      boundaries.push(binding.boundary);
      continue;
    }
    const followUp =
      missingDate(binding.bound, frame) ??
      missingDimension(binding.bound, question, knowledge) ??
      sameName(binding.bound, question, knowledge);
    if (followUp !== null) boundaries.push(followUp);
    else bounds.push(binding.bound);
  }
  const boundary = boundaries.sort((a, b) => refusalOrder(a) - refusalOrder(b))[0];
  if (boundary !== undefined) return { boundary };
  const { windows, assumptions } = settleWindows(frame, bounds, knowledge, now);
  const query = buildMetricQuery(bounds, frame, windows, knowledge);
  if (query === null) return undefined;
  return { reading: toReading(query, frame, bounds, windows, assumptions, mentions, knowledge) };
}

function frameOf({ tokens, mentions, dialogue }: ReadWords, semantics: SemanticModel): MetricFrame {
  return dialogue === undefined
    ? parseMetricFrame(mentions, semantics, findHints(tokens, semantics))
    : parseMetricDialogue(dialogue, tokens, mentions, semantics);
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

function refusalOrder(boundary: Boundary): number {
  return boundary.kind === 'reject' ? 0 : boundary.kind === 'follow_up' ? 1 : 2;
}

/** No time in the question: the rule of the semantic model, said as an assumption. */
function settleWindows(
  frame: MetricFrame,
  bounds: readonly BoundMetric[],
  knowledge: GroundedKnowledge,
  now: Date,
): { windows: readonly TimeWindow[]; assumptions: Assumption[] } {
  const hasTimeFilter = bounds.some((bound) =>
    bound.filters.some((filter) => filter.dimension?.isTime === true),
  );
  if (frame.windows.length > 0 || hasTimeFilter || knowledge.semantics.timeRules.defaultWindow === 'all')
    return { windows: frame.windows, assumptions: frame.windows.flatMap(takenYear) };
  if (
    bounds.some((bound) =>
      bound.groups.some(
        (group) =>
          group.dimension?.name === 'year' || (group.term.kind === 'time' && group.term.part === 'year'),
      ),
    )
  )
    return { windows: [], assumptions: [] };
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
  return {
    windows: [window],
    assumptions: [{ kind: 'time', text: `No period was named: the current year, ${year}, was taken.` }],
  };
}

/** "in March" names no year. */
function takenYear({ isYearTaken, label, from }: TimeWindow): Assumption[] {
  if (isYearTaken !== true || from === undefined) return [];
  return [{ kind: 'time', text: `No year was named: “${label}” was read as that of ${from.slice(0, 4)}.` }];
}

function toReading(
  query: NonNullable<ReturnType<typeof buildMetricQuery>>,
  frame: MetricFrame,
  bounds: readonly BoundMetric[],
  windows: readonly TimeWindow[],
  assumptions: readonly Assumption[],
  mentions: readonly Mention[],
  knowledge: GroundedKnowledge,
): Reading {
  const { sql, parts } = printQuery(query, DIALECTS[knowledge.catalog.dialect]);
  return {
    query,
    sql,
    parts,
    explanation: explainMetrics(frame, bounds, windows),
    probability: metricProbability(frame, bounds, mentions),
    rules: ['metric'],
    assumptions: [...assumptions, ...definitionAssumptions(bounds, knowledge)],
    mentions: mentions.map(mentionNote),
    unexplained: [],
    metrics: bounds.map((bound) => bound.metric.name),
    dimensions: bounds[0]?.groups.map((group) => group.dimension?.name ?? '') ?? [],
  };
}

function definitionAssumptions(bounds: readonly BoundMetric[], knowledge: GroundedKnowledge): Assumption[] {
  const tables = new Set(bounds.flatMap((bound) => bound.parts.map((part) => part.table)));
  return knowledge.semantics.datasets
    .filter((dataset) => tables.has(dataset.table))
    .flatMap((dataset) =>
      dataset.defaultFilter === undefined
        ? []
        : [{ kind: 'filter' as const, text: `${dataset.name}: ${dataset.defaultFilter.text}` }],
    );
}
