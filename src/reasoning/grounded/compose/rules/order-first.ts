import { cueOf } from '../../mention/cue-index.ts';
import type { Cue } from '../../mention/lexicon.ts';
import type { Mention } from '../../mention/mention.ts';
import type { Cursor, Rule } from '../cursor.ts';
import type { Frame, OrderSlot, Projection } from '../frame.ts';
import { columnScore, isTableLike, isTextLike, tableScore } from '../nouns.ts';
import { orderFurther, readTarget } from './order.ts';

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
