import type { AggregateFunction } from '../../../../sql/index.ts';
import type { Mention } from '../../mention/mention.ts';
import type { Cursor, Rule } from '../cursor.ts';
import { columnScore, tableScore } from '../nouns.ts';

/** "sorted by age in descending order", "in alphabetical order of name". */
export const order: Rule = {
  name: 'order',
  examples: ['List the names sorted by age in descending order.', 'Show the titles in alphabetical order.'],
  apply(cursor) {
    const opens = cursor.cue(0, 'order') !== undefined;
    const direction = cursor.cue(0, 'direction');
    if (!opens && direction === undefined) return orderBy(cursor);
    // "Sort the names in order of population": what is sorted is shown, the order comes later.
    const isCommand =
      opens &&
      (cursor.position === 0 || cursor.at(-1)?.isSentenceEnd === true) &&
      /^(?:sort|order|rank|arrange)$/i.test(cursor.at(0)?.text ?? '');
    if (isCommand && cursor.frame.projections.length === 0) return 1;
    if (direction !== undefined) return orderByDirection(cursor, direction.direction);
    const start = cursor.skip(1, ['stop', 'of', 'by', 'preposition', 'be']);
    const ranked = orderByExtreme(cursor, start);
    if (ranked > 0) return ranked;
    const early = cursor.cue(start, 'direction');
    const target = readTarget(
      cursor,
      early === undefined ? start : cursor.skip(start + 1, ['stop', 'of', 'by', 'order', 'preposition']),
    );
    if (target === undefined) {
      if (early === undefined) return 0;
      cursor.position += start;
      const used = orderByDirection(cursor, early.direction);
      cursor.position -= start;
      return start + used;
    }
    const { next, direction: late } = lateDirection(cursor, target.next);
    push(cursor, target, early?.direction ?? late ?? 'asc');
    return orderFurther(cursor, next, early?.direction ?? late);
  },
};

/** "…, by price descending": nothing but the direction says that it sorts. */
function orderBy(cursor: Cursor): number {
  if (cursor.cue(0, 'by') === undefined || cursor.frame.projections.length === 0) return 0;
  const target = readTarget(cursor, cursor.skip(1));
  if (target === undefined) return 0;
  const { next, direction } = lateDirection(cursor, target.next);
  if (direction === undefined) return 0;
  push(cursor, target, direction);
  return orderFurther(cursor, next, undefined);
}

/** "ordered by year and name": every column of a list that ends the question, or a part of it. */
export function orderFurther(cursor: Cursor, from: number, direction: 'asc' | 'desc' | undefined): number {
  const comma = cursor.at(from)?.isComma === true ? 1 : 0;
  const at = cursor.skip(from + comma, ['and', 'stop', 'by']);
  const noun = cursor.noun(at);
  if (at === from || noun === undefined || columnScore(noun) <= tableScore(noun)) return from;
  const { next, direction: late } = lateDirection(cursor, at + 1);
  const after = cursor.at(next);
  const goesOn = after?.isComma === true || cursor.cue(next, 'and') !== undefined;
  if (after !== undefined && !after.isSentenceEnd && !goesOn && late === undefined) return from;
  push(cursor, { noun, isCount: false, mention: noun, next }, late ?? direction ?? 'asc');
  return orderFurther(cursor, next, direction);
}

/** "ordered by the highest average rating first". */
function orderByExtreme(cursor: Cursor, offset: number): number {
  const cue = cursor.cue(offset, 'superlative');
  const mention = cursor.at(offset);
  if (cue === undefined || mention === undefined) return 0;
  const at = cursor.skip(offset + 1);
  const noun = cursor.noun(at);
  const counted =
    cue.byCount && noun !== undefined ? { noun, isCount: true, mention, next: at + 1 } : undefined;
  const target = counted ?? readTarget(cursor, at);
  if (target === undefined) return 0;
  push(cursor, target, cue.direction);
  return /^first$/i.test(cursor.at(target.next)?.text ?? '') ? target.next + 1 : target.next;
}

interface Target {
  readonly noun?: Mention;
  readonly aggregate?: AggregateFunction;
  readonly isCount: boolean;
  readonly attributes?: readonly string[];
  readonly mention: Mention;
  readonly next: number;
}

export function readTarget(cursor: Cursor, offset: number): Target | undefined {
  const mention = cursor.at(offset);
  if (mention === undefined) return undefined;
  if (cursor.cue(offset, 'count') !== undefined) {
    const at = cursor.skip(offset + 1);
    const noun = cursor.noun(at);
    return { noun, isCount: true, mention, next: noun === undefined ? offset + 1 : at + 1 };
  }
  const cue = cursor.cue(offset, 'aggregate');
  const at = cue === undefined ? offset : cursor.skip(offset + 1);
  const noun = cursor.noun(at);
  if (noun === undefined) return undefined;
  return { noun, aggregate: cue?.function, isCount: false, mention: noun, next: at + 1 };
}

/** A direction without "ordered by": after it may come "of NOUN"; else it speaks of the last order or of what is shown. */
function orderByDirection(cursor: Cursor, direction: 'asc' | 'desc'): number {
  const last = cursor.frame.orders.at(-1);
  const isOf =
    cursor.cue(1, 'of') !== undefined ||
    cursor.cue(1, 'by') !== undefined ||
    cursor.cue(1, 'order') !== undefined;
  // "from highest to lowest altitude"
  const named = cursor.noun(1);
  const isNamed = named !== undefined && columnScore(named) > tableScore(named);
  const target =
    isOf || isNamed ? readTarget(cursor, cursor.skip(1, ['stop', 'of', 'by', 'order'])) : undefined;
  if (target !== undefined) {
    push(cursor, target, direction);
    return orderFurther(cursor, target.next, undefined);
  }
  if (last !== undefined && !last.isSuperlative) {
    cursor.frame.orders[cursor.frame.orders.length - 1] = { ...last, direction };
    return 1;
  }
  const mention = cursor.at(0);
  const shown = cursor.frame.projections[0];
  if (mention === undefined || shown === undefined) return 1;
  const [, attributes = []] = SAID_BY_WORDS.find(([words]) => words.test(mention.text)) ?? [];
  push(
    cursor,
    {
      noun: shown.noun,
      aggregate: shown.aggregate,
      isCount: shown.aggregate === 'count',
      attributes,
      mention,
      next: 1,
    },
    direction,
  );
  return 1;
}

/** "from old to young": the words of the direction say what is ordered by. */
const SAID_BY_WORDS: readonly (readonly [words: RegExp, attributes: readonly string[]])[] = [
  [/young/i, ['age', '-birth date', '-birth day', '-birth year', '-date of birth']],
  [/cheap|expensive/i, ['price', 'cost', 'amount', 'fee', 'charge']],
  [/short|long/i, ['length', 'duration', 'millisecond', 'second', 'minute', 'distance']],
  [/early|late|recent|new/i, ['date', 'year', 'time']],
];

function lateDirection(cursor: Cursor, offset: number): { next: number; direction?: 'asc' | 'desc' } {
  const at = cursor.skip(offset, ['stop', 'preposition', 'order', 'of']);
  const cue = cursor.cue(at, 'direction');
  return cue === undefined ? { next: offset } : { next: at + 1, direction: cue.direction };
}

function push(cursor: Cursor, target: Target, direction: 'asc' | 'desc'): void {
  const { noun, aggregate, isCount, attributes = [], mention } = target;
  cursor.frame.orders.push({
    noun,
    aggregate,
    isCount,
    attributes,
    direction,
    isSuperlative: false,
    mention,
  });
  cursor.mode = 'modify';
}
