import type { Dimension, Metric, SemanticModel } from '../../../../knowledge/semantic/index.ts';
import { stemOf } from '../../../../language/index.ts';
import type { AggregateFunction } from '../../../../sql/print/index.ts';
import type { Mention, NounMatch } from '../../question/mention/mention.ts';
import type { UnknownTerm } from './metric-frame.ts';

/** A metric is named when the words are its name or a synonym, not a part of one. */
const NAMED_METRIC = 0.85;
const NAMED_DIMENSION = 0.8;

/** The metric a mention names, if it names one by its full name. */
export function namedMetric(mention: Mention, semantics: SemanticModel): Metric | undefined {
  if (mention.isQuoted || mention.time !== undefined) return undefined;
  const match = mention.nouns.find(
    (noun) => noun.kind === 'metric' && noun.score >= NAMED_METRIC && !(mention.cue && isOtherWord(noun)),
  );
  return match === undefined ? undefined : semantics.metrics.find((metric) => metric.name === match.id);
}

/** "total" says an amount only where it is no word of structure. */
function isOtherWord({ why }: NounMatch): boolean {
  return why.startsWith('synonym of');
}

/** The dimensions a mention may name, best first. */
export function namedDimensions(mention: Mention, semantics: SemanticModel): Dimension[] {
  if (mention.isQuoted || mention.time !== undefined) return [];
  const matches = mention.nouns.filter((noun) => noun.kind === 'dimension' && noun.score >= NAMED_DIMENSION);
  return matches.flatMap((match) => semantics.dimensions.filter((dimension) => dimension.name === match.id));
}

/** The mention is better read as a name than as a stored value. */
export function isNameFirst(mention: Mention): boolean {
  return (mention.nouns[0]?.score ?? 0) > (mention.values[0]?.score ?? 0);
}

/** One of the dimensions holds the value a mention names. */
export function holdsValue(mention: Mention | undefined, dimensions: readonly Dimension[]): boolean {
  return (
    mention?.values.some((value) => dimensions.some((dimension) => dimension.column === value.columnId)) ??
    false
  );
}

/** "staff role sales consultant", "status is no-show": the dimension right before holds the value, whatever else it names. */
export function isBoundValue(mentions: readonly Mention[], at: number, semantics: SemanticModel): boolean {
  const mention = mentions[at];
  if (mention === undefined || mention.values.length === 0) return false;
  const before = neighbour(mentions, at, -1);
  return before !== undefined && holdsValue(mention, namedDimensions(before, semantics));
}

/** The next mention in a direction; backwards past "of", "is" and filler. Undefined when it is only structure. */
export function neighbour(mentions: readonly Mention[], at: number, step: 1 | -1): Mention | undefined {
  let index = at + step;
  while (step < 0 && /^(of|be|stop)$/.test(mentions[index]?.cue?.kind ?? '')) index += step;
  const mention = mentions[index];
  return mention?.cue === undefined || (mention.nouns[0]?.score ?? 0) >= 0.9 ? mention : undefined;
}

/** "how many customers and how many claims": what is counted beside something else that is counted; empty where it is one thing. */
export function countedTogether(mentions: readonly Mention[]): readonly Mention[] {
  const counted = mentions.flatMap((mention, at) => {
    const [before, last] = [mentions[at - 1], mentions[at - 2]];
    const isCounted = before?.cue?.kind === 'count' && mention.cue === undefined && !mention.isComma;
    const isListed = last === undefined || /^(?:and|stop)$/.test(last.cue?.kind ?? '') || last.isComma;
    return isCounted && isListed ? [mention] : [];
  });
  return counted.length > 1 ? counted : [];
}

/** A metric of the same rows that makes another figure of the same column: `AVG(orders.amount)` beside `SUM(orders.amount)`. */
export function siblingMetric(
  metric: Metric,
  figure: AggregateFunction,
  semantics: SemanticModel,
): Metric | undefined {
  const column = /^\s*(?:sum|avg|min|max)\s*\((.+)\)\s*$/is.exec(metric.expression ?? '')?.[1];
  if (column === undefined) return undefined;
  const bare = (sql: string): string => sql.replace(/\s+/g, '').toLowerCase();
  const wanted = bare(`${figure}(${column})`);
  return semantics.metrics.find(
    (other) =>
      other.table === metric.table &&
      other.timeColumn === metric.timeColumn &&
      other.filters.join() === metric.filters.join() &&
      bare(other.expression ?? '') === wanted,
  );
}

/** What makes a thing of a verb: a shipment is what was shipped, a delivery what was delivered. */
const ENDINGS = /^(?:ment|al|ing|er?y|i|ion|ation|e|at|s)?$/;

/** "never shipped anything", "did not order": the metric of things that the verb makes, by a name of one word. */
export function verbMetric({ text, isVerbLike }: Mention, { metrics }: SemanticModel): Metric | undefined {
  const verb = stemOf(text.toLowerCase());
  if (!isVerbLike || verb.length < 4) return undefined;
  return metrics.find(({ name, synonyms, ratio }) =>
    [name, ...synonyms].some((one) => {
      if (ratio !== undefined || /\s/.test(one.trim())) return false;
      const stem = stemOf(one.toLowerCase());
      return stem.startsWith(verb) && ENDINGS.test(stem.slice(verb.length));
    }),
  );
}

/** "share of sales consultants in revenue": a stored value that is a figure too, but one over other rows than the figure asked for. */
export function namesOtherRows(mentions: readonly Mention[], at: number, semantics: SemanticModel): boolean {
  const mention = mentions[at];
  if (mention === undefined || mention.values.length === 0) return false;
  const own = namedMetric(mention, semantics);
  return mentions.some((other) => {
    const whole = namedMetric(other, semantics);
    return own !== undefined && whole !== undefined && whole.table !== own.table;
  });
}

/** Verbs that say where a part is from. */
export const COMES = /^(?:comes?|came|stems?|stemmed|originates?|originated)$/i;

/**
 * Whether what follows a verb is said of the figure: "orders that were electric", "came from Carrow". In "where the status is won"
 * the verb only stands between a dimension and its value.
 */
export function opensPredicate(mentions: readonly Mention[], at: number, semantics: SemanticModel): boolean {
  const mention = mentions[at];
  if (mention === undefined) return false;
  if (COMES.test(mention.text)) return true;
  const kind = mention.cue?.kind;
  if (kind !== 'be' && kind !== 'have') return false;
  const content = (other: Mention): boolean => other.cue?.kind !== 'stop' && other.cue?.kind !== 'of';
  const before = mentions.slice(0, at).findLast(content);
  const after = mentions.slice(at + 1).find((other) => content(other) && other.cue?.kind !== 'not');
  return before === undefined || !holdsValue(after, namedDimensions(before, semantics));
}

/** A name matched as loosely as this says nothing. */
const WEAK_NAME = 0.6;

/** A word that nothing explains, with what is missing for it: a grouping, a figure, or something to narrow by. */
export function unknownTermAt(
  mentions: readonly Mention[],
  at: number,
  isAfterGroup: boolean,
  semantics: SemanticModel,
): UnknownTerm | undefined {
  const mention = mentions[at];
  if (mention === undefined || mention.number !== undefined || mention.isQuoted) return undefined;
  if (!mention.isUnknown && mention.nouns.length === 0) return undefined;
  const [before, next] = [mentions[at - 1], mentions[at + 1]];
  const isHardlyKnown = mention.isUnknown || (mention.nouns[0]?.score ?? 0) < WEAK_NAME;
  const names = (other: Mention | undefined): other is Mention =>
    isHardlyKnown && other !== undefined && namedMetric(other, semantics) !== undefined;
  // "luxury orders": another figure than the orders.
  const isModifier = names(next);
  if (mention.isVerbLike && !isModifier && !isAfterGroup) return undefined;
  if (isAfterGroup) return { text: mention.text, place: 'group', mention };
  if (isModifier) return { text: `${mention.text} ${next.text}`, place: 'metric', mention };
  // "delivery time": a figure of its own, whatever deliveries are.
  if (names(before) && /^(?:group|by)$/.test(mentions[at - 2]?.cue?.kind ?? ''))
    return { text: `${before.text} ${mention.text}`, place: 'group', mention };
  if (names(before)) return { text: `${before.text} ${mention.text}`, place: 'metric', mention };
  const lead = mentions.slice(0, at).findLast((other) => !/^(?:stop|of)$/.test(other.cue?.kind ?? ''));
  const isAskedFor = mention.isUnknown && /^(?:count|aggregate)$/.test(lead?.cue?.kind ?? '');
  return { text: mention.text, place: isAskedFor ? 'metric' : 'filter', mention };
}

const SELLS = /^(?:sold|sells?|selling|bought|buys?|purchased|purchases?)$/i;
const NOTHING = /^(?:nothing|none|no one|nobody)$/i;

/** A verb that stands for a figure of sales. */
export interface Sale {
  readonly metric: Metric;
  readonly mention: Mention;
  /** "sold nothing": there are none. */
  readonly nothing?: Mention;
}

/**
 * "which dealers sold the most", "customers that bought nothing": the verb ranks or denies, and no noun says what was sold of. The
 * figure is the first that people chose for "sales", else the one called so. "How many were sold" stays open: it is asked about.
 */
export function findSale(mentions: readonly Mention[], semantics: SemanticModel): Sale | undefined {
  const mention = mentions.find(({ text, values }) => SELLS.test(text) && values.length === 0);
  if (mention === undefined) return undefined;
  const after = mentions
    .filter(({ index, cue }) => index > mention.index && cue?.kind !== 'stop')
    .slice(0, 2);
  const nothing = after.find(({ text }) => NOTHING.test(text));
  const ranks = after.some(({ cue }) => cue?.kind === 'superlative' && cue.byCount);
  if (nothing === undefined && !ranks) return undefined;
  const [first] = semantics.vagueTerms.find(({ term }) => term === 'sales')?.options ?? [];
  const metric = semantics.metrics.find(
    ({ name, synonyms }) => name === first || (first === undefined && [name, ...synonyms].includes('sales')),
  );
  return metric === undefined ? undefined : { metric, mention, nothing };
}
