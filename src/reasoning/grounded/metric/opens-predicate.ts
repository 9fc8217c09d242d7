import type { SemanticModel } from '../../../knowledge/index.ts';
import type { Mention } from '../mention/mention.ts';
import { holdsValue, namedDimensions } from './metric-words.ts';

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
