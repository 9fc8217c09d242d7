import type { Reading, SeenBoundary } from '../../roles/reading.ts';
import type { Frame } from '../compose/frame/frame.ts';
import type { ReadWords } from '../question/dialogue/turn.ts';
import type { Mention } from '../question/mention/mention.ts';
import type { Bound } from '../resolve/bound.ts';
import type { MetricOutcome } from './read-metrics.ts';

/**
 * Whether names of tables may read what the metrics could not: a word that no metric and no dimension has. What is asked back, what a metric demands and what its rows do not record stands, whatever tables could tell.
 */
export function mayYield({ boundary }: MetricOutcome, { dialogue }: ReadWords): boolean {
  return dialogue === undefined && boundary?.kind === 'unread';
}

/** What names of tables made of a question. */
interface TableOutcome {
  readonly readings: readonly Reading[];
  readonly boundary: SeenBoundary | undefined;
  readonly unexplained: readonly unknown[];
  readonly mentions: readonly Mention[];
  readonly frame: Frame | undefined;
  readonly bounds: readonly Bound[];
}

/** A reading that is less likely than this is worth no more than a refusal. */
const LIKELY = 0.5;

/** A reading of the tables that has a place in its SQL for every word that says something. */
export function readsAll({
  readings: [best],
  boundary,
  unexplained,
  mentions,
  frame,
  bounds: [bound],
}: TableOutcome): boolean {
  if (
    best === undefined ||
    best.probability < LIKELY ||
    boundary !== undefined ||
    unexplained.length > 0 ||
    frame === undefined
  )
    return false;
  if (frame.dangling.length > 0 || frame.lost.length > 0) return false;
  const shown = new Set(best.parts.flatMap(({ cause }) => cause.mention ?? []));
  const namesTable = ({ nouns }: Mention): boolean =>
    nouns.some(({ kind, tableId }) => kind === 'table' && bound?.tables.has(tableId) === true);
  return mentions.every(
    (mention) =>
      !saysSomething(mention) ||
      (frame.used.has(mention.index) &&
        (shown.has(mention.index) || namesTable(mention) || mention.number === frame.limit)),
  );
}

/** Names, values, numbers, periods and words that nothing explains; words of structure are looked after by the frame. */
function saysSomething(mention: Mention): boolean {
  if (mention.isComma || mention.isSentenceEnd) return false;
  return (
    mention.isUnknown ||
    mention.isQuoted ||
    mention.number !== undefined ||
    mention.time !== undefined ||
    (mention.cue === undefined && (mention.nouns.length > 0 || mention.values.length > 0))
  );
}
