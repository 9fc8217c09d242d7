import type { Dimension, Metric, SemanticModel } from '../../../../knowledge/semantic/index.ts';
import type { Comparison } from '../../../../sql/print/index.ts';
import type { Boundary } from '../../../roles/reading.ts';
import type { StatedCondition } from '../../compose/frame/frame.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { ValueMatch } from '../../question/mention/mention.ts';
import type { FilterTerm, GroupTerm, MetricFrame } from '../frame/metric-frame.ts';
import { manySideTo } from './many-side.ts';
import { type MetricRoute, routeTo } from './metric-route.ts';

/** A metric with its groups and filters bound to columns that its rows lead to. */
export interface BoundMetric {
  readonly metric: Metric;
  /** The metrics with a table that it is made of: itself, or numerator and denominator. */
  readonly parts: readonly Metric[];
  readonly groups: readonly BoundDimension[];
  readonly filters: readonly BoundMetricFilter[];
}

export interface BoundDimension {
  readonly term: GroupTerm;
  /** Absent for a time grain that no dimension carries. */
  readonly dimension?: Dimension;
}

export interface BoundMetricFilter {
  readonly term: FilterTerm;
  readonly columnId: string;
  readonly values: readonly (string | number)[];
  readonly dimension?: Dimension;
  /** "above 50000 euros": how a row stands to the values, where it need not hold one of them. */
  readonly operator?: Comparison | 'between';
  /** "on Fridays": what a phrase says of the metric's own rows. */
  readonly stated?: StatedCondition;
  /** A row of the metric may have many there: it passes when one of them does. */
  readonly isAmongMany?: true;
}

export type Binding = { readonly bound: BoundMetric } | { readonly boundary: Boundary };

/** Binds the words of a frame to one metric, or says which boundary they run into. */
export function bindMetric(
  metric: Metric,
  frame: MetricFrame,
  knowledge: GroundedKnowledge,
  question: string,
): Binding {
  const parts = partsOf(metric, knowledge.semantics);
  const groups: BoundDimension[] = [];
  for (const term of frame.groups) {
    const bound = bindGroup(term, metric, parts, frame, knowledge, question);
    if ('boundary' in bound) return bound;
    groups.push(bound);
  }
  const filters: BoundMetricFilter[] = [];
  for (const term of frame.filters) {
    if (term.onlyOf !== undefined && term.onlyOf !== metric.name) continue;
    const bound = bindFilter(term, metric, parts, frame, knowledge, question);
    if ('boundary' in bound) return bound;
    filters.push(bound);
  }
  return { bound: { metric, parts, groups, filters } };
}

/** A ratio stands on two metrics, everything else on itself. */
function partsOf(metric: Metric, semantics: SemanticModel): Metric[] {
  if (metric.ratio === undefined) return [metric];
  const { numerator, denominator } = metric.ratio;
  return [numerator, denominator].flatMap((name) => semantics.metrics.filter((other) => other.name === name));
}

function bindGroup(
  term: GroupTerm,
  metric: Metric,
  parts: readonly Metric[],
  frame: MetricFrame,
  knowledge: GroundedKnowledge,
  question: string,
): BoundDimension | { boundary: Boundary } {
  if (term.kind === 'time') return { term };
  const { reachable, ambiguous } = reach(term.candidates, parts, frame, knowledge);
  const first = reachable[0];
  if (first !== undefined) return { term, dimension: first };
  if (ambiguous !== undefined) return { boundary: ambiguousJoinPath(term.mention.text, ambiguous, question) };
  return {
    boundary: unreachableDimension(
      metric,
      term.mention.text,
      term.candidates[0]?.name ?? term.mention.text,
      parts,
      frame,
      knowledge,
    ),
  };
}

interface Reach {
  readonly reachable: readonly Dimension[];
  /** Set when only ways with an open choice of key lead there. */
  readonly ambiguous?: MetricRoute;
}

function reach(
  candidates: readonly Dimension[],
  parts: readonly Metric[],
  frame: MetricFrame,
  knowledge: GroundedKnowledge,
): Reach {
  const reachable: { dimension: Dimension; distance: number }[] = [];
  let ambiguous: MetricRoute | undefined;
  for (const dimension of candidates) {
    const routes = parts.map((part) => routeTo(part, dimension.table, dimension, frame.roles, knowledge));
    if (routes.some((route) => route === null)) continue;
    const open = routes.find((route) => route !== null && route.choices.length > 1);
    if (open != null) ambiguous ??= open;
    else reachable.push({ dimension, distance: Math.max(...routes.map((route) => route?.hops ?? 0)) });
  }
  reachable.sort((a, b) => a.distance - b.distance);
  return { reachable: reachable.map((item) => item.dimension), ambiguous };
}

function bindFilter(
  term: FilterTerm,
  metric: Metric,
  parts: readonly Metric[],
  frame: MetricFrame,
  knowledge: GroundedKnowledge,
  question: string,
): BoundMetricFilter | { boundary: Boundary } {
  const { choices, ambiguous } = valueChoices(term, parts, frame, knowledge);
  const best = choices[0];
  if (best === undefined) {
    if (ambiguous !== undefined)
      return { boundary: ambiguousJoinPath(term.mention.text, ambiguous, question) };
    const among = amongManyRows(term, parts, knowledge);
    if (among !== undefined) return among;
    const hit = term.values[0]?.[0];
    const dimension = knowledge.semantics.dimensions.find((item) => item.column === hit?.columnId);
    return {
      boundary: unreachableDimension(
        metric,
        term.mention.text,
        dimension?.name ?? hit?.columnId ?? term.mention.text,
        parts,
        frame,
        knowledge,
      ),
    };
  }
  const rivals = choices.filter(
    (choice) =>
      choice.columnId !== best.columnId &&
      choice.score >= best.score - 0.05 &&
      choice.dimension !== undefined &&
      best.dimension !== undefined,
  );
  if (rivals.length > 0) return { boundary: ambiguousValue(term, [best, ...rivals], question) };
  return { term, columnId: best.columnId, values: best.values, dimension: best.dimension };
}

/** A value of rows that the metric's rows have many of; undefined where two columns hold it. */
function amongManyRows(
  term: FilterTerm,
  parts: readonly Metric[],
  knowledge: GroundedKnowledge,
): BoundMetricFilter | undefined {
  const [hit, rival] = (term.values[0] ?? []).filter(({ tableId }) =>
    parts.every((part) => manySideTo(part, tableId, knowledge) !== undefined),
  );
  const isOpenNumber = term.isCounted === true && term.rows === undefined;
  const values = hit === undefined || isOpenNumber ? null : sameColumn(term, hit);
  const isOpen =
    rival !== undefined && rival.columnId !== hit?.columnId && rival.score >= (hit?.score ?? 0) - 0.05;
  if (hit === undefined || values === null || isOpen) return undefined;
  const dimension = knowledge.semantics.dimensions.find((item) => item.column === hit.columnId);
  return { term, columnId: hit.columnId, values, dimension, isAmongMany: true };
}

function valueChoices(
  term: FilterTerm,
  parts: readonly Metric[],
  frame: MetricFrame,
  knowledge: GroundedKnowledge,
): { choices: ValueChoice[]; ambiguous?: MetricRoute } {
  const choices: ValueChoice[] = [];
  let ambiguous: MetricRoute | undefined;
  for (const hit of term.values[0] ?? []) {
    const values = sameColumn(term, hit);
    if (values === null || choices.some((choice) => choice.columnId === hit.columnId)) continue;
    const dimension = knowledge.semantics.dimensions.find((item) => item.column === hit.columnId);
    const routes = parts.map((part) => routeTo(part, hit.tableId, dimension, frame.roles, knowledge));
    if (routes.some((route) => route === null)) continue;
    const open = routes.find((route) => route !== null && route.choices.length > 1);
    if (open != null) {
      ambiguous ??= open;
      continue;
    }
    const hops = Math.max(...routes.map((route) => route?.hops ?? 0));
    choices.push({
      columnId: hit.columnId,
      values,
      dimension,
      hops,
      score: hit.score + (dimension === undefined ? -0.3 : 0),
    });
  }
  // "Falco cars": the dimension named beside the value decides, where the rows lead to it at all.
  const named = choices.filter((choice) =>
    term.named.some((dimension) => dimension.column === choice.columnId),
  );
  const kept = named.length > 0 ? named : choices;
  return { choices: kept.sort((a, b) => b.score - a.score || a.hops - b.hops), ambiguous };
}

/** All values of an and/or list must stand in one column. */
function sameColumn(term: FilterTerm, hit: ValueMatch): (string | number)[] | null {
  const values: (string | number)[] = [];
  for (const alternatives of term.values) {
    const same = alternatives.filter((value) => value.columnId === hit.columnId);
    if (same.length === 0) return null;
    const top = same.filter((value) => value.score >= (same[0]?.score ?? 0) - 0.001);
    values.push(...top.map((value) => value.value));
  }
  return [...new Set(values)];
}

/** Several keys lead to what is named, and nothing tells which: registered city or sales area. */
function ambiguousJoinPath(phrase: string, route: MetricRoute, question: string): Boundary {
  const options = route.choices.map((choice) => ({
    label: choice.label,
    question: `${question.replace(/[?.!\s]+$/, '')}, by ${choice.label}`,
  }));
  return {
    kind: 'clarify',
    gap: 'join-path',
    phrase,
    ask: `There are several links to “${phrase}”. Which one do you mean?`,
    options,
  };
}

/** A dimension that is known, and that no key of the metric's rows leads to. */
function unreachableDimension(
  metric: Metric,
  phrase: string,
  dimension: string,
  parts: readonly Metric[],
  frame: MetricFrame,
  knowledge: GroundedKnowledge,
): Boundary {
  const possible = knowledge.semantics.dimensions.filter((item) =>
    parts.every((part) => routeTo(part, item.table, item, frame.roles, knowledge) !== null),
  );
  return {
    kind: 'reject',
    reason: 'dimension',
    cause: 'not-linked',
    missing: dimension,
    message: `I cannot tell “${metric.name}” by ${dimension}: I know no key that leads from its rows to “${phrase}”.`,
    nearest: possible.slice(0, 6).map((item) => item.name),
  };
}

/** A column that a value of the question may stand in. */
interface ValueChoice {
  readonly columnId: string;
  readonly values: readonly (string | number)[];
  readonly score: number;
  readonly dimension?: Dimension;
  readonly hops: number;
}

/** One name in two dimensions: a city and a campaign are both called Halden. */
function ambiguousValue(term: FilterTerm, choices: readonly ValueChoice[], question: string): Boundary {
  const phrase = term.mention.text;
  const options = choices.slice(0, 5).map((choice) => {
    const label = `${choice.dimension?.name ?? choice.columnId} ${choice.values.join(', ')}`;
    return { label, question: question.replace(phrase, () => label) };
  });
  return {
    kind: 'clarify',
    gap: 'value',
    phrase,
    ask: `“${phrase}” is the name of several things here. Which one do you mean?`,
    options,
  };
}
