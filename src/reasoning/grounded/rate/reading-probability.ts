import type { Frame } from '../compose/frame/frame.ts';
import type { Mention } from '../question/mention/mention.ts';
import { unexplainedWords } from '../question/mention/unexplained-words.ts';
import type { Bound } from '../resolve/bound.ts';
import { costOfRelated } from './reading-costs.ts';

/** What the probability of a reading is judged from. */
export interface ReadingFeatures {
  readonly bound: Bound;
  readonly frame: Frame;
  readonly mentions: readonly Mention[];
  readonly extraTables: number;
}

/** Probability in [0, 1] that a reading is right: how well words match, how much is left unexplained, how far it joins. */
export function readingProbability({ bound, frame, mentions, extraTables }: ReadingFeatures): number {
  const unexplained = mentions.filter((mention) => mention.isUnknown && !frame.used.has(mention.index));
  const hard = unexplainedWords(mentions, frame.used).length;
  const ignored = mentions.filter(
    (mention) =>
      !frame.used.has(mention.index) &&
      (mention.values.length > 0 || mention.number !== undefined || mention.nouns.length > 0),
  ).length;
  const slots =
    // One slot may show several columns.
    Math.min(bound.projections.length, Math.max(1, frame.projections.length)) +
    bound.filters.length +
    bound.groups.length +
    bound.orders.length +
    bound.havings.length +
    bound.absences.length;
  const mean = slots === 0 ? 0 : bound.score / slots;
  const logit =
    -1.2 +
    3.2 * Math.min(1.2, mean) -
    2.8 * hard -
    2.2 * frame.dangling.length -
    0.4 * frame.lost.length -
    0.5 * (unexplained.length - hard) -
    1.2 * ignored -
    0.25 * extraTables -
    0.25 * Math.max(0, bound.tables.size - 1) -
    0.12 * slots -
    costOfRelated(mentions);
  return 1 / (1 + Math.exp(-logit));
}
