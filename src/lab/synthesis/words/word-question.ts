import type { Dice } from '../dice.ts';
import type { Inventory, MetricScope } from '../inventory/inventory.ts';
import type { Structure } from '../structure.ts';
import type { Shape } from '../templates/template.ts';
import { dimensionWords, filterPhrase, metricKind, metricWords, plural } from './phrase.ts';
import { WORDINGS, type Wording } from './wordings.ts';

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
}

const LOWER_CASE = 0.2;
const PERIOD_FIRST = 0.12;

/** One of the ways to ask for a structure, drawn. */
export function wordQuestion(wordable: Wordable): WordedQuestion {
  const { structure, shape, scope, inventory, dice } = wordable;
  const wording = dice.pick(WORDINGS[shape].filter((each) => fits(each, wordable)));
  const metric = metricWords(scope.metric, inventory, dice);
  const groups = structure.groups.map((name) => dimensionWords(name, inventory, dice));
  const filters = structure.filters.map((entity) => filterPhrase(entity, inventory, dice));
  const period = structure.period?.phrase ?? '';
  const isFirst =
    wording.text.endsWith('{p}') === false &&
    /\{p\}[?.]?$/.test(wording.text) &&
    period !== '' &&
    dice.chance(PERIOD_FIRST);
  const slots = slotsOf(wordable, { metric, groups, filters, period: isFirst ? '' : period });
  const text = wording.text.replace(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? '');
  const placed = isFirst ? `${period}, ${lowerFirst(text)}` : text;
  return {
    ...{ metric, groups, filters, period },
    question: styled(placed, dice),
    hidesFigure: wording.hidesFigure === true,
  };
}

function fits(wording: Wording, { structure, scope }: Wordable): boolean {
  const { ranking, step } = structure;
  if (wording.kinds !== undefined && !wording.kinds.includes(metricKind(scope))) return false;
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
