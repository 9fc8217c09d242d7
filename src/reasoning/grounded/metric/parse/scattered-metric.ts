import type { Metric, SemanticModel } from '../../../../knowledge/semantic/index.ts';
import type { Mention } from '../../question/mention/mention.ts';
import { WHOLE_NAME } from '../../question/mention/mention.ts';
import { timeGrain } from '../../question/read/calendar.ts';
import type { MetricFrame } from '../frame/metric-frame.ts';
import type { MetricHints } from '../frame/metric-hints.ts';
import { COMES, isBoundValue, isNameFirst, namedMetric } from '../frame/metric-words.ts';

type Scattered = MetricHints['scattered'];

/** A scattered name counts when it covers every plain name it touches, and more words than the longest of them. */
export function coversNames(
  scattered: Scattered,
  mentions: readonly Mention[],
  semantics: SemanticModel,
): boolean {
  if (scattered === undefined) return false;
  // "which campaign had the most leads": the campaign is asked for, it is no part of "campaign leads".
  if (mentions.some((mention) => scattered.tokens.has(mention.from) && isAskedFor(mention, mentions)))
    return false;
  // "orders of Car Portal": a stored name is no word of "cars ordered".
  if (
    mentions.some((mention) => cutsValue(mention, scattered.tokens) || cutsColumn(mention, scattered.tokens))
  )
    return false;
  // "orders … for order status delivered": the value of a dimension is no part of the name.
  if (mentions.some(({ from }, at) => scattered.tokens.has(from) && isBoundValue(mentions, at, semantics)))
    return false;
  if (isSetApart(scattered, mentions, semantics)) return false;
  const plain = mentions.filter((mention) => namedMetric(mention, semantics) !== undefined);
  const touched = plain.filter((mention) => scattered.tokens.has(mention.from));
  if (touched.length === 0) return plain.length === 0;
  return touched.every((mention) => mention.to - mention.from < scattered.tokens.size);
}

function cutsValue(mention: Mention, tokens: ReadonlySet<number>): boolean {
  return mention.values.length > 0 && !isNameFirst(mention) && isCut(mention, tokens);
}

/** "average list price": the list price is a column, and no word of it makes the average price of something else. */
function cutsColumn(mention: Mention, tokens: ReadonlySet<number>): boolean {
  const [best] = mention.nouns;
  return best?.kind === 'column' && best.score >= WHOLE_NAME && isCut(mention, tokens);
}

function isCut(mention: Mention, tokens: ReadonlySet<number>): boolean {
  const places = Array.from({ length: mention.to - mention.from }, (_, offset) => mention.from + offset);
  return places.some((place) => tokens.has(place)) && !places.every((place) => tokens.has(place));
}

/**
 * "share of premium in orders cancelled", "the average monthly order value": a value behind "share", or a step behind "average", takes
 * the first word away from the name.
 */
function isSetApart(
  { tokens }: NonNullable<Scattered>,
  mentions: readonly Mention[],
  semantics: SemanticModel,
): boolean {
  const parts = mentions.filter((mention) => tokens.has(mention.from));
  const [lead, last] = [parts[0], parts.at(-1)];
  if (parts.some((mention) => isCompared(mention, mentions))) return true;
  if (lead === undefined || last === undefined) return false;
  const inside = mentions
    .slice(lead.index - (mentions[0]?.index ?? 0) + 1)
    .filter(({ index }) => index < last.index);
  if (lead.cue?.kind === 'share')
    return (
      mentions.some(({ text }) => COMES.test(text)) ||
      inside.some(
        (mention) => mention.cue?.kind === 'group' || (mention.values.length > 0 && !isNameFirst(mention)),
      )
    );
  if (lead.cue?.kind !== 'aggregate') return false;
  const isStepped = inside.some(({ text }) => timeGrain(text) !== undefined);
  return isStepped && parts.some((mention) => namedMetric(mention, semantics) !== undefined);
}

/** "above average", "than the average": what is compared with. */
function isCompared(mention: Mention, mentions: readonly Mention[]): boolean {
  if (mention.cue?.kind !== 'aggregate') return false;
  const before = mentions.findLast(({ index, cue }) => index < mention.index && cue?.kind !== 'stop');
  return before?.cue?.kind === 'compare' || /^than$/i.test(before?.text ?? '');
}

function isAskedFor(mention: Mention, mentions: readonly Mention[]): boolean {
  const before = mentions.slice(0, mention.index).findLast((other) => other.cue?.kind !== 'stop');
  const isSplit = /^(?:wh|group|by)$/.test(before?.cue?.kind ?? '');
  return isSplit && mention.nouns.some(({ kind, score }) => kind === 'dimension' && score >= 0.85);
}

/**
 * "what % of deliveries were late": the part is named apart from its whole, and the share of the two is a metric. Undefined where no
 * metric is their share.
 */
export function rateOf(
  scattered: Scattered,
  mentions: readonly Mention[],
  semantics: SemanticModel,
): Metric | undefined {
  const wholes = mentions
    .filter(({ from }) => scattered?.tokens.has(from))
    .flatMap((mention) => namedMetric(mention, semantics) ?? []);
  return semantics.metrics.find(
    ({ ratio }) =>
      ratio !== undefined &&
      ratio.numerator === scattered?.metric.name &&
      wholes.some(({ name }) => name === ratio.denominator),
  );
}

/** The metrics with the scattered one in place of the plain names inside it: "orders … cancelled" over "orders". */
export function withScattered(
  metrics: MetricFrame['metrics'],
  scattered: Scattered,
  mentions: readonly Mention[],
): MetricFrame['metrics'] {
  const anchor = mentions.find((mention) => scattered?.tokens.has(mention.from));
  if (scattered === undefined || anchor === undefined) return metrics;
  const others = metrics.filter(({ mention }) => !scattered.tokens.has(mention.from));
  return [{ metric: scattered.metric, mention: anchor }, ...others];
}
