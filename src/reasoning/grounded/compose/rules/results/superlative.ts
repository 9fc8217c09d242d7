import { ordinalNumber } from '../../../../../language/index.ts';
import type { Cue } from '../../../question/mention/lexicon.ts';
import type { Mention } from '../../../question/mention/mention.ts';
import { EARNED, MONEY, saysEarned, saysSpent } from '../../frame/amounts.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import { columnScore, isTableLike, isTextLike, tableScore } from '../../frame/nouns.ts';

type Superlative = Extract<Cue, { kind: 'superlative' }>;

/** "the youngest singer", "the highest salary", "the most concerts", "top 3 countries", "most common name". */
export const superlative: Rule = {
  name: 'superlative',
  examples: ['Show the name of the youngest singer.', 'Which stadium has the most concerts?'],
  apply(cursor) {
    // "tracks that last longer than …": a verb.
    if (/^last$/i.test(cursor.at(0)?.text ?? '') && cursor.cue(1, 'compare') !== undefined) return 1;
    const placed = placedAt(cursor);
    if (placed !== undefined) return nthOf(cursor, placed);
    let at = 0;
    let limit: number | undefined;
    if (cursor.role(0) === 'number' && cursor.cue(1, 'superlative') !== undefined) {
      limit = cursor.at(0)?.number;
      at = 1;
    }
    const cue = cursor.cue(at, 'superlative');
    const mention = cursor.at(at);
    if (cue === undefined || mention === undefined) return 0;
    let next = cursor.skip(at + 1);
    if (cursor.role(next) === 'number') {
      limit = cursor.at(next)?.number;
      next = cursor.skip(next + 1);
      const inner = cursor.cue(next, 'superlative');
      if (inner !== undefined)
        return finish(cursor, inner, cursor.at(next) ?? mention, cursor.skip(next + 1), limit);
    }
    return finish(cursor, cue, mention, next, limit);
  },
};

interface Placed {
  readonly place: number;
  readonly of: Superlative;
  readonly mention: Mention;
  /** Where the words behind it begin. */
  readonly next: number;
}

/** "second most expensive", "the 2nd highest". */
function placedAt(cursor: Cursor): Placed | undefined {
  const mention = cursor.at(0);
  const of = cursor.cue(1, 'superlative');
  const place = ordinalNumber(mention?.text ?? '');
  return mention !== undefined && place !== undefined && of !== undefined
    ? { place, of, mention, next: cursor.skip(2) }
    : undefined;
}

/** One row of a ranking that is not its first; "the second highest price" as a figure is left to nobody. */
function nthOf(cursor: Cursor, { place, of, mention, next }: Placed): number {
  const noun = cursor.noun(next);
  const isFigure =
    cursor.frame.projections.length === 0 &&
    noun !== undefined &&
    columnScore(noun) > tableScore(noun) + 0.02;
  cursor.frame.place = { number: place, mention };
  // Without an order there is no such row, and so no answer.
  if (isFigure) return 1;
  return finish(cursor, of, mention, next, undefined);
}

function finish(
  cursor: Cursor,
  cue: Superlative,
  mention: Mention,
  offset: number,
  limit: number | undefined,
): number {
  let next = offset;
  if (countsFirstPlaces(cursor, cue, mention)) return next;
  if (cursor.cue(next, 'aggregate') !== undefined && cursor.noun(cursor.skip(next + 1)) !== undefined)
    return byAggregate(cursor, cue, mention, next, limit);
  if (cursor.cue(next, 'distinct') !== undefined) next = cursor.skip(next + 1);
  const noun = cursor.noun(next);
  if (cue.attributes[0] === '*')
    return mostCommon(cursor, cue, mention, isBehindOf(cursor, next) ? undefined : noun, next, limit);
  const isFirstAsked = cursor.mode === 'project' && cursor.frame.projections.length === 0;
  if (noun === undefined) {
    if (cue.byCount && saysSpent(cursor)) {
      cursor.frame.orders.push({
        aggregate: 'sum',
        isCount: false,
        attributes: MONEY,
        direction: cue.direction,
        isSuperlative: true,
        mention,
      });
      cursor.frame.limit = limit ?? cursor.frame.limit ?? 1;
      cursor.mode = 'modify';
      return next;
    }
    if (cue.byCount && saysEarned(cursor)) {
      pushOrder(cursor, { ...cue, attributes: EARNED, byCount: false }, mention, undefined, false, limit);
      return next;
    }
    pushOrder(cursor, cue, mention, happened(cursor, cue), cue.byCount, limit);
    return next > offset ? next : offset;
  }
  const isColumn = columnScore(noun) > tableScore(noun) + 0.02;
  if (isColumn) {
    if (isFirstAsked && limit === undefined && !cue.byCount && isBareExtreme(cursor, next)) {
      cursor.frame.projections.push({
        aggregate: cue.direction === 'desc' ? 'max' : 'min',
        isDistinct: false,
        noun,
      });
      return next + 1;
    }
    pushOrder(cursor, cue, mention, noun, cue.byCount && (tableScore(noun) > 0 || isTextLike(noun)), limit);
    return next + 1;
  }
  if (cue.byCount) {
    pushOrder(cursor, cue, mention, noun, true, limit);
    return next + 1;
  }
  if (isFirstAsked) cursor.frame.projections.push({ isDistinct: false, noun });
  else cursor.frame.contexts.push(noun);
  const measured = rankedBy(cursor, cue, mention, next + 1, limit);
  if (measured !== undefined) return measured;
  pushOrder(cursor, cue, mention, undefined, false, limit);
  return next + 1;
}

/** "how many times did it come first": the rows in first place are counted. */
function countsFirstPlaces(cursor: Cursor, { attributes }: Superlative, mention: Mention): boolean {
  const isCounted = cursor.frame.projections.some(({ aggregate }) => aggregate === 'count');
  if (attributes[0] !== 'rank' || !isCounted) return false;
  const operands = [{ kind: 'number' as const, number: 1, mention }];
  cursor.addFilter({ attributes, operator: '=', operands, mention });
  return true;
}

/** "launched most recently": the verb before names the date. */
function happened(cursor: Cursor, cue: Superlative): Mention | undefined {
  const before = cursor.noun(-1);
  const isVerb = before !== undefined && /(?:ed|en)$/i.test(before.text);
  return isVerb && !cue.byCount && columnScore(before) > 0 && !isTableLike(before) ? before : undefined;
}

/** "the top 3 stadiums by capacity", "the 5 artists by number of tracks": what stands behind "by" ranks. */
function rankedBy(
  cursor: Cursor,
  cue: Superlative,
  mention: Mention,
  offset: number,
  limit: number | undefined,
): number | undefined {
  if (cursor.cue(offset, 'by') === undefined) return undefined;
  const at = cursor.skip(offset + 1);
  const isCount = cursor.cue(at, 'count') !== undefined;
  const measureAt = isCount ? cursor.skip(at + 1) : at;
  const measure = cursor.noun(measureAt);
  if (measure === undefined || (!isCount && isTableLike(measure))) return undefined;
  pushOrder(cursor, cue, mention, measure, isCount, limit);
  if (isCount) cursor.frame.rankedCount = measure;
  return measureAt + 1;
}

/** "the highest total sales": order by an aggregate. */
function byAggregate(
  cursor: Cursor,
  cue: Superlative,
  mention: Mention,
  offset: number,
  limit: number | undefined,
): number {
  const at = cursor.skip(offset + 1);
  const noun = cursor.noun(at);
  const name = cursor.cue(offset, 'aggregate')?.function;
  cursor.frame.orders.push({
    noun,
    aggregate: name,
    isCount: false,
    attributes: [],
    direction: cue.direction,
    isSuperlative: true,
    mention,
  });
  cursor.frame.limit = limit ?? cursor.frame.limit ?? 1;
  cursor.mode = 'modify';
  return at + 1;
}

/** "most popular among players": the players are who decides, not what is ranked. */
function isBehindOf(cursor: Cursor, offset: number): boolean {
  const before = cursor.at(offset - 1);
  return before?.cue?.kind === 'of' && /among/i.test(before.text);
}

/** "the most common nationality": group by it, order by the count. */
function mostCommon(
  cursor: Cursor,
  cue: Superlative,
  mention: Mention,
  noun: Mention | undefined,
  next: number,
  limit: number | undefined,
): number {
  const isFirstAsked = cursor.mode === 'project';
  if (noun !== undefined) {
    cursor.frame.groups.push(noun);
    if (isFirstAsked && !cursor.frame.projections.some((item) => item.noun === noun))
      cursor.frame.projections.push({ isDistinct: false, noun });
  }
  const shown = cursor.frame.projections[0]?.noun;
  if (noun === undefined && shown !== undefined && cursor.frame.groups.length === 0)
    cursor.frame.groups.push(shown);
  pushOrder(cursor, cue, mention, undefined, true, limit);
  return noun === undefined ? next : next + 1;
}

function pushOrder(
  cursor: Cursor,
  cue: Superlative,
  mention: Mention,
  noun: Mention | undefined,
  isCount: boolean,
  limit: number | undefined,
): void {
  const attributes = cue.attributes[0] === '*' || noun !== undefined ? [] : cue.attributes;
  cursor.frame.orders.push({
    noun,
    isCount,
    attributes,
    direction: cue.direction,
    isSuperlative: true,
    isAmount: cue.byCount,
    mention,
  });
  cursor.frame.limit = limit ?? cursor.frame.limit ?? 1;
  if (cursor.frame.projections.length > 0) cursor.mode = 'modify';
}

/** Nothing but a context follows, so "the highest salary" is a value and not a way to pick rows. */
function isBareExtreme(cursor: Cursor, offset: number): boolean {
  const after = cursor.at(offset + 1);
  if (after === undefined || after.isSentenceEnd) return true;
  if (after.isComma) return true;
  const kind = after.cue?.kind;
  return (
    kind === 'of' ||
    kind === 'preposition' ||
    kind === 'group' ||
    kind === 'and' ||
    kind === 'relative' ||
    kind === 'stop' ||
    kind === 'have' ||
    kind === 'by'
  );
}
