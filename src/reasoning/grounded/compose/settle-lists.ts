import type { Frame, OrderSlot } from './frame.ts';
import { isTableLike } from './nouns.ts';

/** Lists in an order: how many rows they have, and whether what they are ordered by is shown. */
export function settleLists(frame: Frame): void {
  sortedList(frame);
  rankedList(frame);
}

/**
 * "Which papers have the highest number of authors, ordered by it?": more than one row is asked for, in order, and what
 * they are ordered by is worth showing.
 */
function sortedList(frame: Frame): void {
  const ranking = frame.orders.find((item) => item.isSuperlative);
  const sorting = frame.orders.findLast((item) => !item.isSuperlative);
  if (ranking === undefined || sorting === undefined) return;
  if (frame.limit !== 1 || frame.countBefore !== undefined) return;
  const shown = frame.projections[0]?.noun;
  const isOfRows = sorting.noun === undefined || sorting.noun === shown || isTableLike(sorting.noun);
  const listed = isOfRows && !sorting.isCount ? (sorting.noun ?? shown) : shown;
  if (listed === undefined || !/s$/i.test(listed.text)) return;
  const order = isOfRows && !sorting.isCount ? { ...ranking, direction: sorting.direction } : sorting;
  frame.limit = undefined;
  frame.orders = [{ ...order, isSuperlative: false }];
  showFigure(frame, order);
}

/** "the top 3 publications with the most citations": rows alone are named, so their figure is a part of the answer. */
function rankedList(frame: Frame): void {
  const [only, second] = frame.projections;
  const isTop = frame.orders.some(
    ({ isSuperlative, mention }) => isSuperlative && /^top$/i.test(mention.text),
  );
  const isOfRows = only?.aggregate === undefined && only?.noun !== undefined && isTableLike(only.noun);
  if (!isTop || !isOfRows || second !== undefined || (frame.limit ?? 1) < 2) return;
  const order = frame.orders.find(
    (item) => item.isSuperlative && item.noun !== undefined && item.noun !== only.noun,
  );
  if (order !== undefined && frame.rankedCount === undefined && frame.groups.length === 0)
    showFigure(frame, order);
}

function showFigure(frame: Frame, { noun, isCount, aggregate, attributes }: OrderSlot): void {
  const isShown = frame.projections.some((item) => item.noun?.text === noun?.text);
  if (noun !== undefined && !isShown)
    frame.projections.push({ aggregate: isCount ? 'count' : aggregate, isDistinct: false, noun });
  else if (noun === undefined && attributes.length > 0)
    frame.projections.push({ isDistinct: false, attributes });
}
