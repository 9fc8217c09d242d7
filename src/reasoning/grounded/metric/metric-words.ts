import type { Dimension, Metric, SemanticModel } from '../../../knowledge/index.ts';
import type { Mention } from '../mention/mention.ts';
import type { NounMatch } from '../mention/noun-match.ts';

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
