import { lemmaOf } from '../../../../../language/index.ts';
import { timeGrain } from '../../../question/read/calendar.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import { columnScore, isTableLike, tableScore } from '../../frame/nouns.ts';

/** "for each country", "per year", "by department". */
export const group: Rule = {
  name: 'group',
  examples: ['Show the number of singers in each country.', 'What is the average age by team?'],
  apply(cursor) {
    // "and by artist?": what goes on with "by" splits what was asked for.
    const isTurn = cursor.position === cursor.goesOnAt && cursor.cue(0, 'by') !== undefined;
    const isGroup = cursor.cue(0, 'group') !== undefined || isTurn;
    const hasAggregate = cursor.frame.projections.some((item) => item.aggregate !== undefined);
    const isBy =
      cursor.cue(0, 'by') !== undefined && (hasAggregate || isFigureByName(cursor) || isListOfThings(cursor));
    // "the total enrollment for different types"
    const isDifferent =
      hasAggregate &&
      (cursor.cue(0, 'preposition') !== undefined || cursor.cue(0, 'of') !== undefined) &&
      cursor.cue(cursor.skip(1), 'distinct') !== undefined;
    if (!isGroup && !isBy && !isDifferent) return 0;
    // "money requested by entrepreneurs": done by, not split by, as in "orders placed by customer".
    const isDone = cursor.at(-1)?.isVerbLike === true || /(?:ed|en)$/i.test(cursor.at(-1)?.text ?? '');
    if (isBy && isDone && !isBareNoun(cursor, 1)) return 0;
    let at = cursor.skip(1);
    while (cursor.cue(at, 'distinct') !== undefined || cursor.cue(at, 'group') !== undefined)
      at = cursor.skip(at + 1);
    const noun = cursor.noun(at);
    const mention = cursor.at(at);
    const part = mention === undefined ? undefined : timeGrain(mention.text);
    // "per weekday type" are kinds of something else.
    const isKindOf = part === 'weekday' && /^(?:noun|unknown)$/.test(cursor.role(at + 1) ?? '');
    const isGrain = part !== undefined && !isKindOf && (noun === undefined || columnScore(noun) < 0.9);
    if (isGrain && part !== undefined && mention !== undefined) {
      cursor.frame.grains.push({ part, mention });
      sumAmounts(cursor);
      if (cursor.frame.projections.length > 0) cursor.mode = 'modify';
      return at + 1;
    }
    if (noun === undefined) return 0;
    // "list each owner's first name": shown, not split by.
    const isBare =
      /^(?:each|every)$/i.test(cursor.at(0)?.text ?? '') && cursor.frame.projections.length === 0;
    if (isBare && columnScore(noun) > tableScore(noun)) return 0;
    // "the date of each treatment and its cost": whose columns are shown.
    if (
      /^(?:of each|of every)$/i.test(cursor.at(0)?.text ?? '') &&
      isTableLike(noun) &&
      listsOn(cursor, at + 1)
    ) {
      cursor.frame.contexts.push(noun);
      return at + 1;
    }
    // "the average age across all players": over all their rows.
    const isSplit = cursor.cue(cursor.skip(1), 'distinct') !== undefined;
    const isOverAll = !isSplit && (cursor.at(1)?.text.toLowerCase() === 'all' || isTableLike(noun));
    if (cursor.at(0)?.text.toLowerCase() === 'across' && isOverAll) {
      cursor.frame.contexts.push(noun);
      return at + 1;
    }
    // "played by a singer" is no grouping: after a bare "by" columns group, and a table that is named as a kind.
    const isKind = isBy && isBareNoun(cursor, at);
    if (((isBy && !isTurn) || isDifferent) && !isKind && columnScore(noun) < 0.75) return 0;
    cursor.frame.groups.push(noun);
    // A column may be called like the step of time that is meant.
    if (part !== undefined) sumAmounts(cursor);
    at++;
    while (
      cursor.cue(at, 'and') !== undefined ||
      (cursor.at(at)?.isComma &&
        cursor.cue(at + 1, 'and') === undefined &&
        cursor.frame.projections.length > 0)
    ) {
      const second = cursor.noun(cursor.skip(at + 1));
      const after = cursor.skip(at + 1) + 1;
      const isSplitToo = second !== undefined && (columnScore(second) > 0 || isBareNoun(cursor, after - 1));
      if (!isSplitToo || cursor.noun(after) !== undefined) break;
      cursor.frame.groups.push(second);
      at = after;
    }
    if (cursor.frame.projections.length > 0) cursor.mode = 'modify';
    return at;
  },
};

const ADDS_UP =
  /\b(?:amounts?|revenues?|costs?|sales|spend(?:ing)?|expenses?|payments?|income|profits?|turnover|quantit(?:y|ies)|volumes?|hours|minutes|units)$/i;

/** "invoice amount per month": what adds up is added up; a price or a temperature of a month is no figure that is said. */
function sumAmounts({ frame }: Cursor): void {
  const [only, second] = frame.projections;
  const [noun] = only?.noun?.nouns ?? [];
  if (only === undefined || second !== undefined || only.aggregate !== undefined || only.isDistinct) return;
  if (noun?.kind !== 'column' || noun.isText === true || !ADDS_UP.test(only.noun?.text ?? '')) return;
  frame.projections = [{ ...only, aggregate: 'sum' }];
}

/** "by artist", "by billing country": a kind of thing in the singular, none of whose rows is named. */
function isBareNoun(cursor: Cursor, offset: number): boolean {
  const noun = cursor.noun(offset);
  if (noun === undefined || (tableScore(noun) < 0.85 && columnScore(noun) < 0.6)) return false;
  const last = noun.text.toLowerCase().split(/\s+/).at(-1) ?? '';
  const isSingular = lemmaOf(last) === last;
  const next = cursor.at(offset + 1);
  const isEnd = next === undefined || next.isSentenceEnd || next.cue?.kind === 'order';
  const isNamed = ['value', 'number'].includes(cursor.role(offset + 1) ?? '');
  return cursor.cue(offset - 1, 'stop') === undefined && !isNamed && (isSingular || isEnd);
}

/** "total of invoices by customer": the column is called like the figure that is made of it. */
function isFigureByName({ frame: { projections } }: Cursor): boolean {
  const [only, second] = projections;
  return (
    second === undefined && only?.aggregate === undefined && /^(?:total|sum)\b/i.test(only?.noun?.text ?? '')
  );
}

/** "orders by customer": one table is listed and the split follows at once, so its rows are counted. */
function isListOfThings(cursor: Cursor): boolean {
  const [shown, other] = cursor.frame.projections;
  return (
    shown?.noun !== undefined &&
    other === undefined &&
    shown.noun.index === cursor.position - 1 &&
    tableScore(shown.noun) > columnScore(shown.noun)
  );
}

/** Plain columns stand before, and the list goes on behind. */
function listsOn(cursor: Cursor, offset: number): boolean {
  const next = cursor.at(offset);
  const isPlain = cursor.frame.projections.every((item) => item.aggregate === undefined);
  const goesOn = next?.isComma === true || next?.cue?.kind === 'and' || next?.cue?.kind === 'preposition';
  return isPlain && cursor.frame.projections.length > 0 && goesOn;
}
