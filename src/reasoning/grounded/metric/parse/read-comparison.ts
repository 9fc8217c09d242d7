import { ordinalNumber } from '../../../../language/index.ts';
import type { Comparison } from '../../../../sql/print/index.ts';
import type { Mention } from '../../question/mention/mention.ts';
import type { MetricFrame } from '../frame/metric-frame.ts';

const PICKS_ONE =
  /^(?:most|top|best|highest|largest|biggest|greatest|fewest|least|lowest|smallest|worst|strongest|weakest)/i;
/** A number this many mentions behind "more than" still belongs to it. */
const REACH = 5;

const PERCENT = /^(?:%|per ?cent|percentage points?|pct)$/i;

/** "top 5", "the three best", "the most": the direction and how many are wanted. */
export function readRanking(
  mentions: readonly Mention[],
  mention: Mention,
  direction: 'asc' | 'desc',
): NonNullable<MetricFrame['order']> {
  const [before, after] = [mentions[mention.index - 1], mentions[mention.index + 1]];
  const place = ordinalNumber(before?.text ?? '');
  if (place !== undefined) return { direction, mention, limit: 1, place };
  const beside = [after, before].find((other) => other?.number !== undefined && other.time === undefined);
  return { direction, mention, limit: beside?.number ?? (PICKS_ONE.test(mention.text) ? 1 : undefined) };
}

/** "more than 100 orders", "above the average"; undefined when nothing to compare with follows. */
export function readHaving(
  mentions: readonly Mention[],
  mention: Mention,
  operator: Comparison,
): MetricFrame['having'] {
  // "above-average" says both.
  if (/average|mean/i.test(mention.text)) return { operator, isAverage: true, mention };
  for (const other of mentions.slice(mention.index + 1, mention.index + 1 + REACH)) {
    if (other.number !== undefined && other.time === undefined) {
      const isPercent = /%$/.test(other.text) || PERCENT.test(mentions[other.index + 1]?.text ?? '');
      return { operator, number: other.number, isPercent, isAverage: false, mention, at: other.index };
    }
    // "exactly one order", "more than a single order".
    if (/^(?:one|(?:a )?single)$/i.test(other.text) && other.index === mention.index + 1)
      return { operator, number: 1, isAverage: false, mention, at: other.index };
    if (other.cue?.kind === 'aggregate' && other.cue.function === 'avg')
      return { operator, isAverage: true, mention };
  }
  return undefined;
}

/** "fewer orders in 2024 than in 2023": two periods and a "than". */
export function comparesPeriods(mentions: readonly Mention[], at: number): boolean {
  return (
    mentions.filter((other) => other.time !== undefined).length === 2 &&
    mentions.slice(at).some((other) => /\bthan$/i.test(other.text))
  );
}
