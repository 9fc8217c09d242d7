import type { Mention } from '../mention/mention.ts';
import { Cursor } from './cursor.ts';
import { dropInside } from './drop-inside.ts';
import type { Frame } from './frame.ts';
import { columnScore, isTableLike } from './nouns.ts';
import { RULES } from './rules/index.ts';
import { settleLists } from './settle-lists.ts';

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
  settleLists(frame);
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
