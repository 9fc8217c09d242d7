import type { SemanticModel } from '../../../../knowledge/semantic/index.ts';
import type { Mention } from '../../question/mention/mention.ts';
import { timeGrain } from '../../question/read/calendar.ts';
import type { GroupTerm, MetricOrder } from '../frame/metric-frame.ts';
import { namedDimensions, namedMetric } from '../frame/metric-words.ts';

/** Words that stand between "sorted" and what is sorted by. */
const BETWEEN: ReadonlySet<string> = new Set(['stop', 'by', 'of', 'preposition', 'order']);

/**
 * "sorted by month", "in order of name", "alphabetically": what orders the rows and the last mention that says so.
 * Undefined when it is neither a group that is shown nor a figure.
 */
export function readOrder(
  mentions: readonly Mention[],
  at: number,
  groups: readonly GroupTerm[],
  semantics: SemanticModel,
): { readonly order: MetricOrder; readonly last: number } | undefined {
  const opener = mentions[at];
  if (opener === undefined) return undefined;
  let last = at;
  let direction = opener.cue?.kind === 'direction' ? opener.cue.direction : undefined;
  const isAlphabetic = /alphab|lexico/i.test(opener.text);
  let target: Mention | undefined;
  for (let place = at + 1; place < mentions.length; place++) {
    const mention = mentions[place];
    const kind = mention?.cue?.kind ?? '';
    if (mention === undefined || mention.isComma || mention.isSentenceEnd) break;
    if (mention.cue?.kind === 'direction') direction = mention.cue.direction;
    else if (BETWEEN.has(kind)) continue;
    else if (target === undefined && mention.nouns.length > 0) target = mention;
    else break;
    last = place;
  }
  const by = isAlphabetic && target === undefined ? plainGroup(groups) : groupOf(target, groups, semantics);
  if (by !== undefined) return { order: { direction: direction ?? 'asc', by, mention: opener }, last };
  if (target === undefined) return undefined;
  const isFigure = namedMetric(target, semantics) !== undefined;
  return isFigure
    ? { order: { direction: direction ?? 'desc', mention: opener }, last: target.index - 1 }
    : undefined;
}

function plainGroup(groups: readonly GroupTerm[]): GroupTerm | undefined {
  return groups.find((group) => group.kind === 'dimension' && group.candidates[0]?.isTime !== true);
}

/** The group that a word names: by its grain, by its dimension, or as the name of whatever is shown. */
function groupOf(
  target: Mention | undefined,
  groups: readonly GroupTerm[],
  semantics: SemanticModel,
): GroupTerm | undefined {
  if (target === undefined) return undefined;
  if (/^(?:the )?names?$/i.test(target.text)) return plainGroup(groups);
  const part = timeGrain(target.text) ?? (/^(?:date|time)$/i.test(target.text) ? 'any' : undefined);
  const names = namedDimensions(target, semantics).map((dimension) => dimension.name);
  return groups.find((group) =>
    group.kind === 'time'
      ? part === 'any' || group.part === part
      : group.candidates.some((dimension) => names.includes(dimension.name)),
  );
}
