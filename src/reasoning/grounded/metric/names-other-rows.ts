import type { SemanticModel } from '../../../knowledge/index.ts';
import type { Mention } from '../mention/mention.ts';
import { namedMetric } from './metric-words.ts';

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
