import type { SemanticModel } from '../../../knowledge/index.ts';
import type { Mention } from '../mention/mention.ts';
import type { UnknownTerm } from './metric-frame.ts';
import { namedMetric } from './metric-words.ts';

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
