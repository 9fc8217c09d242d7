import type { Condition } from '../question/mention/definition.ts';
import type { Mention } from '../question/mention/mention.ts';
import { Cursor } from './frame/cursor.ts';
import type { FilterSlot, Frame, OrderSlot } from './frame/frame.ts';
import { columnScore, isTableLike } from './frame/nouns.ts';
import { RULES } from './rules/index.ts';

/** Reads the mentions of a question from left to right and fills a frame; what no rule uses stays unexplained. */
export function parseFrame(mentions: readonly Mention[]): Frame {
  return completeFrame(fillFrame(new Cursor(mentions)));
}

/** The frame as the rules fill it from the cursor on, before the whole of it is looked at. */
export function fillFrame(cursor: Cursor): Frame {
  const { mentions, position: from } = cursor;
  while (cursor.position < mentions.length) {
    let used = 0;
    for (const rule of RULES) {
      used = rule.apply(cursor);
      if (used === 0) continue;
      cursor.use(used);
      cursor.frame.rules.push(rule.name);
      break;
    }
    cursor.position += Math.max(1, used);
  }
  cursor.pending = undefined;
  cursor.frame.lost.push(
    ...cursor.frame.contexts.filter((mention) => (mention.nouns[0]?.score ?? 0) < WEAK_NAME),
  );
  if (cursor.isNegated)
    cursor.frame.dangling.push(...mentions.filter((mention) => mention.cue?.kind === 'not').slice(-1));
  cursor.frame.dangling.push(
    ...mentions
      .slice(from)
      .filter((mention) => isStructure(mention) && !cursor.frame.used.has(mention.index)),
  );
  dropInside(cursor.frame);
  return cursor.frame;
}

/** A table named as loosely as this is not joined in: the word is lost. */
const WEAK_NAME = 0.7;

const STRUCTURE = new Set([
  'share',
  'growth',
  'grain',
  'quantile',
  'running',
  'superlative',
  'compare',
  'between',
  'like',
  'null',
  'not',
  'order',
  'count',
]);

function isStructure(mention: Mention): boolean {
  return mention.cue !== undefined && STRUCTURE.has(mention.cue.kind);
}

/** Settles what only the whole question tells. */
export function completeFrame(frame: Frame): Frame {
  figuresByName(frame);
  const counts =
    frame.projections.some((item) => item.aggregate !== undefined) ||
    frame.orders.some((item) => item.isCount || item.aggregate !== undefined) ||
    frame.havings.length > 0;
  resolveLists(frame);
  // "top 5 students with the highest grade": the second says what the first ranks by.
  const ranking = frame.orders.filter(
    (item) =>
      !item.isSuperlative ||
      item.noun !== undefined ||
      item.figure !== undefined ||
      item.isCount ||
      item.aggregate !== undefined,
  );
  if (ranking.length > 0 && ranking.length < frame.orders.length) frame.orders = ranking;
  const average =
    frame.orders.some((item) => item.isSuperlative && item.aggregate === undefined) ||
    frame.havings.length > 0;
  if (average && frame.overall !== undefined) {
    const { overall } = frame;
    frame.orders = frame.orders.map((item) =>
      item.isSuperlative && !item.isCount ? { ...item, aggregate: overall } : item,
    );
  }
  if (frame.rankedCount !== undefined && frame.projections.every((item) => item.aggregate === undefined))
    frame.projections.push({ aggregate: 'count', isDistinct: false, noun: frame.rankedCount });
  if (frame.limit === 1 && frame.countBefore !== undefined) frame.limit = frame.countBefore.number ?? 1;
  else if (frame.countBefore !== undefined) frame.dangling.push(frame.countBefore);
  if (frame.projections.length === 0 && frame.grains.length === 0) {
    const shown = frame.groups[0] ?? frame.contexts[0];
    if (shown !== undefined) frame.projections.push({ isDistinct: frame.isDistinct, noun: shown });
  }
  const [shown, second] = frame.projections;
  // "orders per year", "employees by title": things by a group are counted.
  const isCounted =
    shown?.aggregate === undefined &&
    shown?.noun !== undefined &&
    second === undefined &&
    isTableLike(shown.noun);
  if (
    isCounted &&
    !counts &&
    frame.orders.length === 0 &&
    (frame.grains.length > 0 || frame.groups.some((group) => group !== shown.noun)) &&
    frame.groups.every((group) => group !== shown.noun)
  ) {
    if (frame.groups.some((group) => tellsApart(group, shown.noun))) return listGroups(frame, shown.noun);
    frame.projections = [{ ...shown, aggregate: 'count' }];
    return frame;
  }
  // "the cheapest product in each category" wants one for each, which is not read yet.
  if (!counts && frame.orders.some((item) => item.isSuperlative)) frame.dangling.push(...frame.groups);
  // "the name of each singer" groups nothing: without an aggregate it only names whose columns are shown.
  if (!counts && frame.groups.length > 0) {
    frame.contexts.push(...frame.groups);
    frame.groups = [];
  }
  return frame;
}

/** "total of invoices by customer": the column is called like the figure that is made of it. */
function figuresByName(frame: Frame): void {
  const [only, second] = frame.projections;
  if (frame.groups.length === 0 || only?.aggregate !== undefined || second !== undefined) return;
  if (only !== undefined && /^(?:total|sum)\b/i.test(only.noun?.text ?? ''))
    frame.projections = [{ ...only, aggregate: 'sum' }];
}

/** "films by title and length": each has its own title, so that nothing is counted. */
function tellsApart(group: Mention, shown: Mention | undefined): boolean {
  const owner = shown?.nouns.find(({ kind }) => kind === 'table');
  const own = group.nouns.find(({ kind, tableId }) => kind === 'column' && tableId === owner?.tableId);
  return own?.isUnique === true && own.score >= columnScore(group) - 0.1;
}

function listGroups(frame: Frame, shown: Mention | undefined): Frame {
  frame.projections = frame.groups.map((noun) => ({ isDistinct: false, noun }));
  if (shown !== undefined) frame.contexts.push(shown);
  frame.groups = [];
  return frame;
}

/** "the percentage of women": the formula of a hint counts them itself, so that they do not narrow the rows. */
function dropInside(frame: Frame): void {
  const figures = frame.projections.filter(({ figure }) => figure !== undefined);
  if (figures.length === 0) return;
  const inside = figures.flatMap(({ figure }) => figure?.inside ?? []);
  // Counts and sums that the question speaks of are steps of the formula.
  frame.projections = frame.projections.filter(({ aggregate }) => aggregate === undefined);
  // It says itself of which tables it speaks, and what is done with them.
  frame.contexts = [];
  frame.dangling = [];
  frame.lost = [];
  frame.filters = frame.filters.filter((slot) => !inside.some((condition) => isSame(slot, condition)));
}

function isSame({ noun, operands, operator }: FilterSlot, condition: Condition): boolean {
  if (condition.kind !== 'literal' || (operator !== '=' && operator !== condition.operator)) return false;
  const ids = new Set(condition.columns.map(({ id }) => id));
  const values = new Set(condition.values.map(String));
  return operands.every((operand) => {
    if (operand.kind === 'value')
      return operand.mention.values.some(
        ({ columnId, value }) => ids.has(columnId) && values.has(String(value)),
      );
    const said =
      operand.kind === 'number' ? String(operand.number) : operand.kind === 'text' ? operand.text : '';
    return values.has(said) && noun?.nouns.some(({ id }) => ids.has(id)) === true;
  });
}

/** Lists in an order: how many rows they have, and whether what they are ordered by is shown. */
function resolveLists(frame: Frame): void {
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
