import type { Inventory, MetricScope } from '../inventory/inventory.ts';
import type { Dice } from '../items/seeded-random.ts';
import type { Structure } from '../items/structure.ts';
import type { Shape } from '../templates/make-templates.ts';
import { dimensionWords, filterPhrase, type MetricKind, metricKind, metricWords, plural } from './phrase.ts';

/** A structure in words, with what the wording leaves to the answer. */
export interface WordedQuestion {
  readonly question: string;
  /** The words that stand for the metric. */
  readonly metric: string;
  /** The words that stand for each group, in their order. */
  readonly groups: readonly string[];
  /** The words of each filter, in their order. */
  readonly filters: readonly string[];
  /** The words of the period; empty where none is named. */
  readonly period: string;
  /** Ranked by a figure that is not asked for: an answer may show it or not. */
  readonly hidesFigure: boolean;
}

export interface Wordable {
  readonly structure: Structure;
  readonly shape: Shape;
  readonly scope: MetricScope;
  readonly inventory: Inventory;
  readonly dice: Dice;
  /** Words in place of those of the structure. */
  readonly says?: OtherWords;
}

export interface OtherWords {
  readonly metric?: string;
  readonly metricKind?: MetricKind;
  readonly groups?: readonly string[];
  /** Each with its blank before. */
  readonly filters?: readonly string[];
  readonly period?: string;
}

const LOWER_CASE = 0.2;
const PERIOD_FIRST = 0.12;

/** One of the ways to ask for a structure, drawn. */
export function wordQuestion(wordable: Wordable): WordedQuestion {
  const { structure, shape, scope, inventory, dice, says = {} } = wordable;
  const wording = dice.pick(WORDINGS[shape].filter((each) => fits(each, wordable)));
  const metric = says.metric ?? metricWords(scope.metric, inventory, dice);
  const groups = says.groups ?? structure.groups.map((name) => dimensionWords(name, inventory, dice));
  const filters = says.filters ?? structure.filters.map((entity) => filterPhrase(entity, inventory, dice));
  const period = says.period ?? structure.period?.phrase ?? '';
  const isFirst = /\{p\}[?.]$/.test(wording.text) && /^in /.test(period) && dice.chance(PERIOD_FIRST);
  const slots = slotsOf(wordable, { metric, groups, filters, period: isFirst ? '' : period });
  const text = wording.text.replace(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? '');
  const placed = isFirst ? `${period}, ${lowerFirst(text)}` : text;
  return {
    ...{ metric, groups, filters, period },
    question: styled(placed, dice),
    hidesFigure: wording.hidesFigure === true,
  };
}

function fits(wording: Wording, { structure, scope, says }: Wordable): boolean {
  const { ranking, step } = structure;
  const kind = says?.metricKind ?? metricKind(scope);
  if (wording.kinds !== undefined && !wording.kinds.includes(kind)) return false;
  const limit = ranking?.limit ?? (step?.kind === 'top-per-group' ? step.limit : undefined);
  if (wording.grouped !== undefined && wording.grouped !== structure.groups.length > 0) return false;
  if (wording.single !== undefined && wording.single !== (limit === 1)) return false;
  // "Top" only says the largest.
  if (ranking?.direction === 'asc' && wording.text.startsWith('Top')) return false;
  if (wording.inPercent === undefined || (step?.kind !== 'share' && step?.kind !== 'shares')) return true;
  return wording.inPercent === step.inPercent;
}

interface Said {
  readonly metric: string;
  readonly groups: readonly string[];
  readonly filters: readonly string[];
  readonly period: string;
}

function slotsOf(
  { structure, scope }: Wordable,
  { metric, groups, filters, period }: Said,
): Readonly<Record<string, string>> {
  const { ranking, step } = structure;
  const [first = '', second = ''] = groups;
  const number = ranking?.limit ?? (step !== undefined && 'limit' in step ? step.limit : undefined);
  const threshold = step?.kind === 'count-above' ? step.threshold : undefined;
  const isByTwo = step === undefined && second !== '';
  return {
    m: metric,
    f: filters.join(''),
    p: period === '' ? '' : ` ${period}`,
    d: isByTwo ? `${first} and ${second}` : first,
    ds: plural(first),
    dly: first === 'day' ? 'daily' : `${first}ly`,
    e: second,
    es: plural(second),
    n: String(number ?? threshold ?? ''),
    most: mostWords(metricKind(scope), ranking?.direction ?? 'desc'),
    of: step !== undefined && 'of' in step ? step.of.surface : '',
    b: step !== undefined && 'before' in step ? step.before.label : '',
    l: structure.period?.label ?? '',
  };
}

function mostWords(kind: 'count' | 'amount' | 'level', direction: 'asc' | 'desc'): string {
  if (kind === 'count') return direction === 'desc' ? 'most' : 'fewest';
  return direction === 'desc' ? 'highest' : 'lowest';
}

/** With a capital, or as people type. */
function styled(text: string, dice: Dice): string {
  const even = text.replace(/\s+/g, ' ').trim();
  if (dice.chance(LOWER_CASE)) return lowerFirst(even).replace(/[?.]$/, '');
  return even.slice(0, 1).toUpperCase() + even.slice(1);
}

function lowerFirst(text: string): string {
  return /^[A-Z][A-Z0-9]/.test(text) ? text : text.slice(0, 1).toLowerCase() + text.slice(1);
}

/**
 * How people ask, as data. `{m}` metric, `{f}` filters and `{p}` period with their blank before, `{d}` dimension, `{ds}` in the plural,
 * `{e}` the second dimension, `{n}` a number, `{most}` and `{top}` the direction, `{of}` the part of a share,
 * `{b}` the earlier and `{l}` the own period without "in".
 */
interface Wording {
  readonly text: string;
  /** Only for metrics of these kinds; absent: for all. */
  readonly kinds?: readonly MetricKind[];
  /** The figure ranks and is not asked for. */
  readonly hidesFigure?: true;
  /** Only for shares that are told in percent, or as a fraction. */
  readonly inPercent?: boolean;
  /** Only where one is asked for. */
  readonly single?: boolean;
  /** Only with a group, or only without. */
  readonly grouped?: boolean;
}

const any = (text: string, more: Omit<Wording, 'text'> = {}): Wording => ({ text, ...more });
const counted = (text: string, more: Omit<Wording, 'text' | 'kinds'> = {}): Wording => ({
  text,
  kinds: ['count'],
  ...more,
});
const summed = (text: string): Wording => ({ text, kinds: ['count', 'amount'] });

const WORDINGS: Readonly<Record<Shape, readonly Wording[]>> = {
  figure: [
    counted('How many {m} were there{f}{p}?'),
    counted('How many {m} did we have{f}{p}?'),
    counted('What was the number of {m}{f}{p}?'),
    summed('Total {m}{f}{p}'),
    any('What was the {m}{f}{p}?', { kinds: ['amount', 'level'] }),
    any('How high was the {m}{f}{p}?', { kinds: ['amount', 'level'] }),
    any('{m}{f}{p}'),
    any('Show me the {m}{f}{p}.'),
    any('Please give me {m}{f}{p}'),
    any('I need the {m}{f}{p}'),
    any('Can you tell me the {m}{f}{p}?'),
  ],
  'by-group': [
    any('{m} by {d}{f}{p}'),
    any('{m} per {d}{f}{p}'),
    any('Show {m} by {d}{f}{p}'),
    any('Show me the {m} for each {d}{f}{p}.'),
    any('What was the {m} per {d}{f}{p}?', { kinds: ['amount', 'level'] }),
    counted('How many {m} did each {d} have{f}{p}?'),
    counted('How many {m} were there per {d}{f}{p}?'),
    any('Break down {m}{f}{p} by {d}'),
    any('{m}{f}{p}, split by {d}'),
    any('Give me {m}{f}{p} broken down by {d}'),
  ],
  ranking: [
    any('Top {n} {ds} by {m}{f}{p}', { single: false }),
    any('Which {n} {ds} had the {most} {m}{f}{p}?', { hidesFigure: true, single: false }),
    any('Show the {n} {ds} with the {most} {m}{f}{p}', { single: false, hidesFigure: true }),
    any('List the {n} {ds} with the {most} {m}{f}{p}', { single: false, hidesFigure: true }),
    any('Which {d} had the {most} {m}{f}{p}?', { hidesFigure: true, single: true }),
    any('Which {d} had the {most} {m}{f}{p}?', { hidesFigure: true, single: true }),
    any('What {d} has the {most} {m}{f}{p}?', { hidesFigure: true, single: true }),
    any('{d} with the {most} {m}{f}{p}', { hidesFigure: true, single: true }),
  ],
  growth: [
    any('By what percentage did {m}{f} grow from {b} to {l}?', { grouped: false }),
    any('By how many percent did the {m}{f} change from {b} to {l}?', { grouped: false }),
    any('Percentage change of {m}{f} from {b} to {l}', { grouped: false }),
    any('How much did {m}{f} grow in percent between {b} and {l}?', { grouped: false }),
    any('What was the growth of {m}{f} in percent from {b} to {l}?', { grouped: false }),
    any('Growth of {m}{f} in percent from {b} to {l} by {d}', { grouped: true }),
    any('By what percentage did {m}{f} grow from {b} to {l} for each {d}?', { grouped: true }),
    any('Percentage change of {m}{f} per {d} from {b} to {l}', { grouped: true }),
    any('Show the percentage growth of {m}{f} by {d} from {b} to {l}', { grouped: true }),
  ],
  difference: [
    counted('How many more {m} were there{f}{p} than in {b}?', { grouped: false }),
    any('What is the difference in {m}{f} between {b} and {l}?', { grouped: false }),
    any('By how much did {m}{f} change from {b} to {l}?', { grouped: false }),
    any('Change in {m}{f} from {b} to {l}', { grouped: false }),
    any('How much higher was the {m}{f}{p} than in {b}?', { kinds: ['amount', 'level'], grouped: false }),
    any('Change in {m}{f} from {b} to {l} by {d}', { grouped: true }),
    any('By how much did {m}{f} change from {b} to {l} for each {d}?', { grouped: true }),
    any('What is the difference in {m}{f} between {b} and {l} per {d}?', { grouped: true }),
  ],
  share: [
    any('What percentage of {m}{f}{p} came from {of}?', { inPercent: true }),
    any('What percentage of {m}{f}{p} was {of}?', { inPercent: true }),
    any('What share of {m}{f}{p} came from {of}?', { inPercent: false }),
    any('Share of {of} in {m}{f}{p}', { inPercent: false }),
    any('What was the share of {of} in the {m}{f}{p}?', { inPercent: false }),
    any('How many percent of {m}{f}{p} are from {of}?', { inPercent: true }),
  ],
  shares: [
    any('Share of each {d} in {m}{f}{p}', { inPercent: false }),
    any('What share of {m}{f}{p} did each {d} have?', { inPercent: false }),
    any('Percentage of {m}{f}{p} by {d}', { inPercent: true }),
    any('What percentage of {m}{f}{p} did each {d} have?', { inPercent: true }),
    any('Share of {m}{f}{p} by {d}', { inPercent: false }),
  ],
  'share-change': [
    any('By how many percentage points did the share of {of} in {m}{f} change from {b} to {l}?'),
    any('By how many points did the share of {of} in {m}{f} rise from {b} to {l}?'),
    any('Change of the share of {of} in {m}{f} from {b} to {l} in percentage points'),
  ],
  'top-per-group': [
    any('Top {n} {es} per {d} by {m}{f}{p}', { single: false }),
    any('Top {n} {es} by {m} for each {d}{f}{p}', { single: false }),
    any('Top {e} per {d} by {m}{f}{p}', { single: true }),
    any('Show the {n} {es} with the most {m} in each {d}{f}{p}', { single: false }),
    any('For each {d}, the {n} {es} with the most {m}{f}{p}', { single: false }),
    any('For each {d}, the {e} with the most {m}{f}{p}', { single: true }),
  ],
  'above-average': [
    any('Which {ds} were above average in {m}{f}{p}?'),
    counted('Which {ds} had an above-average number of {m}{f}{p}?'),
    counted('Which {ds} had more {m} than the average {d}{f}{p}?'),
    any('{ds} with above-average {m}{f}{p}', { kinds: ['count', 'amount'] }),
    counted('Which {ds} had more {m} than average{f}{p}?'),
  ],
  'rank-change': [
    any('How did the ranking of {ds} by {m}{f} change from {b} to {l}?'),
    any('Rank of each {d} by {m}{f} in {b} and in {l}'),
    any('Compare the rank of the {ds} by {m}{f} in {b} and {l}'),
  ],
  'largest-rise': [
    any('In which month{p} did {m}{f} rise the most over the month before?'),
    any('Which month{p} had the largest increase in {m}{f} over the previous month?'),
    any('Month with the biggest rise in {m}{f} compared with the month before{p}'),
  ],
  'average-of-groups': [
    any('Average {m} per {d}{f}{p}'),
    any('What was the average number of {m} per {d}{f}{p}?', { kinds: ['count'] }),
    any('What were the average {dly} {m}{f}{p}?'),
    any('On average, how many {m} were there per {d}{f}{p}?', { kinds: ['count'] }),
  ],
  'count-above': [
    counted('How many {ds} had more than {n} {m}{f}{p}?'),
    any('Number of {ds} with {m} above {n}{f}{p}'),
    counted('How many {ds} have over {n} {m}{f}{p}?'),
    counted('Count the {ds} with more than {n} {m}{f}{p}'),
  ],
};
