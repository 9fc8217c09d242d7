import type { AggregateFunction } from '../../../../../sql/print/index.ts';
import { type Cue, cueOf } from '../../../question/mention/lexicon.ts';
import type { Mention } from '../../../question/mention/mention.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import type { Frame, OrderSlot, Projection } from '../../frame/frame.ts';
import { columnScore, isTableLike, isTextLike, tableScore } from '../../frame/nouns.ts';

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
function orderFurther(cursor: Cursor, from: number, direction: 'asc' | 'desc' | undefined): number {
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

function readTarget(cursor: Cursor, offset: number): Target | undefined {
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

type Superlative = Extract<Cue, { kind: 'superlative' }>;

/** What comes first: "cheapest first", "highest score first", "most common first". */
interface SaidFirst {
  readonly cue: Superlative;
  readonly mention: Mention;
  /** Where the words between the superlative and "first" begin, and where "first" stands. */
  readonly from: number;
  readonly first: number;
}

/** "…, cheapest first", "…, most recent launch first, then by name": all rows are shown, in that order. */
export const orderFirst: Rule = {
  name: 'order-first',
  examples: [
    'Show the name and age of the singers, highest age first.',
    'Show the names of the singers, youngest first.',
  ],
  apply(cursor) {
    if (cursor.frame.projections.length === 0 && cursor.frame.groups.length === 0) return 0;
    const said = saidFirst(cursor);
    if (said === undefined) return 0;
    const next = said.first + 1;
    const last = cursor.frame.orders.at(-1);
    const isBare = said.from >= said.first;
    if (last !== undefined && isBare) {
      const direction = turned(said, last);
      // "the top 5, lowest first" picks by one end and shows by the other.
      if (last.isSuperlative && last.direction !== direction) return 0;
      cursor.frame.orders.splice(-1, 1, { ...last, direction });
      return next;
    }
    const slot = isBare ? bySuperlative(said, cursor) : byTarget(said, cursor);
    if (slot === undefined) return 0;
    cursor.frame.orders.push(slot);
    cursor.mode = 'modify';
    return orderFurther(cursor, next, undefined);
  },
};

function saidFirst(cursor: Cursor): SaidFirst | undefined {
  const mention = cursor.at(0);
  if (mention === undefined) return undefined;
  const whole = /^(.+) first$/i.exec(mention.text)?.[1];
  const cue = cueOf(whole ?? mention.text);
  if (
    cue?.kind !== 'superlative' ||
    (cursor.cue(0, 'superlative') ?? cursor.cue(0, 'direction')) === undefined
  )
    return undefined;
  if (whole !== undefined) return { cue, mention, from: 1, first: 0 };
  for (let at = 1; at <= FARTHEST; at++) {
    const word = cursor.at(at);
    if (word === undefined || word.isComma || word.isSentenceEnd) return undefined;
    if (isFirst(word))
      return endsThere(cursor, at + 1) ? { cue, mention, from: cursor.skip(1), first: at } : undefined;
  }
  return undefined;
}

/** Words between a superlative and its "first". */
const FARTHEST = 5;

function isFirst({ text }: Mention): boolean {
  return /^first$/i.test(text);
}

/** Behind "first" the sentence ends, or goes on with what orders rows that are alike. */
function endsThere(cursor: Cursor, offset: number): boolean {
  const after = cursor.at(offset);
  return (
    after === undefined ||
    after.isComma ||
    after.isSentenceEnd ||
    cursor.cue(offset, 'and') !== undefined ||
    /^(?:then|please)$/i.test(after.text)
  );
}

/** "sorted by age, oldest first": what was said first of one end is what was said of the column. */
function turned({ cue, mention }: SaidFirst, { noun, attributes, direction }: OrderSlot): 'asc' | 'desc' {
  const isOfAge = /^(?:old|eld|young)/i.test(mention.text);
  if (!isOfAge) return cue.direction;
  if (noun === undefined && attributes.length === 0) return direction;
  const isAge = /\bages?\b/i.test(noun?.text ?? attributes.join(' '));
  return isAge === /^(?:old|eld)/i.test(mention.text) ? 'desc' : 'asc';
}

/** "highest first": the figure that is shown, what the adjective tells, or the number that was named last. */
function bySuperlative({ cue, mention }: SaidFirst, { frame }: Cursor): OrderSlot | undefined {
  const base = { direction: cue.direction, isSuperlative: false, mention };
  const figure = frame.projections.find(({ aggregate }) => aggregate !== undefined);
  const saysNoColumn = cue.byCount || cue.attributes.includes('size');
  if (figure !== undefined && saysNoColumn) return { ...base, ...ofProjection(figure) };
  if (cue.byCount && countsRows(frame)) return { ...base, isCount: true, attributes: [] };
  if (cue.attributes[0] === '*') {
    const shown = frame.projections[0]?.noun;
    if (shown !== undefined && frame.groups.length === 0) frame.groups.push(shown);
    return { ...base, isCount: true, attributes: [] };
  }
  const number = frame.projections.findLast(
    ({ noun }) => noun !== undefined && columnScore(noun) > tableScore(noun) && !isTextLike(noun),
  );
  if (number !== undefined && saysNoColumn) return { ...base, ...ofProjection(number) };
  if (cue.byCount) return undefined;
  return { ...base, isCount: false, attributes: [...cue.attributes, ...moreAttributes(cue)] };
}

/** An invoice is as old as its date; of what is shown, a rate may be what is cheap. */
function moreAttributes({ attributes }: Superlative): readonly string[] {
  if (attributes.includes('-born')) return ['-date', '-time'];
  return attributes.includes('price') ? ['rate', 'value', 'fare', 'total'] : [];
}

/** "albums per artist, most first": rows by a group are counted. */
function countsRows(frame: Frame): boolean {
  const [only, second] = frame.projections;
  const isOfRows = only?.noun !== undefined && second === undefined && isTableLike(only.noun);
  if (!isOfRows || frame.groups.length + frame.grains.length === 0) return false;
  frame.projections = [{ ...only, aggregate: 'count' }];
  return true;
}

function ofProjection({
  noun,
  aggregate,
  attributes = [],
}: Projection): Pick<OrderSlot, 'noun' | 'aggregate' | 'isCount' | 'attributes'> {
  const isCount = aggregate === 'count';
  return { noun, isCount, aggregate: isCount ? undefined : aggregate, attributes };
}

/** "highest salary first", "most tracks first", "latest invoice first": the words between say what of. */
function byTarget({ cue, mention, from, first }: SaidFirst, cursor: Cursor): OrderSlot | undefined {
  const target = readTarget(cursor, from);
  const isAll = target !== undefined && cursor.skip(target.next) === first;
  const { noun } = target ?? {};
  if (!isAll || target === undefined) return undefined;
  // "highest number first": the figure that is shown.
  const figure = cursor.frame.projections.find((item) => item.aggregate !== undefined);
  if (figure !== undefined && /^(?:number|count|total|amount|sum|figure|value)s?$/i.test(noun?.text ?? ''))
    return { direction: cue.direction, isSuperlative: false, mention, ...ofProjection(figure) };
  const base = { direction: cue.direction, isSuperlative: false, mention };
  if (target.isCount || target.aggregate !== undefined)
    return { ...base, noun, isCount: target.isCount, aggregate: target.aggregate, attributes: [] };
  if (noun === undefined) return undefined;
  if (cue.attributes[0] === '*') {
    cursor.frame.groups.push(noun);
    return { ...base, isCount: true, attributes: [] };
  }
  if (cue.byCount) return { ...base, noun, isCount: isTableLike(noun) || isTextLike(noun), attributes: [] };
  if (!isTableLike(noun)) return { ...base, noun, isCount: false, attributes: [] };
  cursor.addContext(noun);
  return { ...base, isCount: false, attributes: cue.attributes };
}
