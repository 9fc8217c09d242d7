import { Cursor } from '../../compose/frame/cursor.ts';
import type { FilterSlot, Frame, HavingSlot, OrderSlot, Projection } from '../../compose/frame/frame.ts';
import { columnScore, isTableLike } from '../../compose/frame/nouns.ts';
import { completeFrame, fillFrame } from '../../compose/parse-frame.ts';
import type { Mention } from '../mention/mention.ts';
import { type Dialogue, isSameName, type Turn } from './turn.ts';

/** The frame of a question about tables after every turn that goes on from it. */
export function parseTableDialogue({ base, turns }: Dialogue, mentions: readonly Mention[]): Frame {
  const frame = turns.reduce(
    (before, turn) => {
      const cursor = new Cursor(mentions.slice(0, turn.until));
      cursor.position = turn.lead;
      cursor.mode = turn.isProjecting ? 'project' : 'modify';
      cursor.goesOnAt = turn.lead;
      // The rules ask what is shown already: "by region" splits what is counted.
      cursor.frame.projections.push(...before.projections);
      cursor.frame.contexts.push(...before.contexts);
      const own = fillFrame(cursor);
      own.projections.splice(0, before.projections.length);
      own.contexts.splice(0, before.contexts.length);
      return editFrame(before, own, turn);
    },
    fillFrame(new Cursor(base)),
  );
  return completeFrame(frame);
}

/** The frame of a question about tables as a turn changes it; `own` is what the words of the turn say alone. */
function editFrame(base: Frame, own: Frame, turn: Turn): Frame {
  const shown = editProjections(base, own, turn);
  const edited: Frame = {
    ...base,
    ...shown,
    filters: editFilterSlots(base.filters, own.filters, turn),
    groups: turn.manner === 'replace' && splits(own) ? own.groups : union(base.groups, own.groups),
    grains: own.grains.length > 0 || (turn.manner === 'replace' && splits(own)) ? own.grains : base.grains,
    orders: editOrders(base, own),
    havings: editHavings(base.havings, own.havings),
    absences: [...base.absences, ...own.absences],
    limit: own.limit ?? base.limit,
    isDistinct: base.isDistinct || own.isDistinct,
    overall: own.overall ?? base.overall,
    place: own.place ?? base.place,
    share: own.share ?? base.share,
    countBefore: own.countBefore ?? base.countBefore,
    rankedCount: own.rankedCount ?? base.rankedCount,
    dangling: [...base.dangling, ...own.dangling],
    unread: [...base.unread, ...own.unread],
    lost: [...base.lost, ...own.lost],
    rules: [...base.rules, ...own.rules, 'follow-up'],
    used: new Set([...base.used, ...own.used]),
  };
  if (!isSortable(base, own, edited)) edited.dangling.push(...own.orders.map((order) => order.mention));
  return answering(edited, base, turn);
}

/** Rows that one order has picked cannot be sorted by another in one step, and a single figure not at all. */
function isSortable(base: Frame, own: Frame, edited: Frame): boolean {
  const isSorted = own.orders.some((order) => !order.isSuperlative);
  if (isSorted && base.limit !== undefined && own.limit === undefined) return false;
  return splits(edited) || edited.projections.some((item) => item.aggregate === undefined);
}

function splits({ groups, grains }: Frame): boolean {
  return groups.length + grains.length > 0;
}

function union(base: readonly Mention[], own: readonly Mention[]): Mention[] {
  return [...base, ...own.filter((mention) => !base.some((other) => isSameName(other, mention)))];
}

/** "their emails too" is set beside what is shown; any other thing named takes its place. */
function editProjections(base: Frame, own: Frame, turn: Turn): Pick<Frame, 'projections' | 'contexts'> {
  const contexts = [
    ...base.contexts,
    ...own.contexts.filter((mention) => !base.projections.some((item) => item.noun === mention)),
  ];
  if (own.projections.length === 0) return { projections: base.projections, contexts };
  if (turn.manner === 'add')
    return { projections: [...shownBeside(base, own), ...own.projections], contexts };
  // What was shown stays what the question is about.
  const before = base.projections.flatMap((item) => item.noun ?? []).filter(isTableLike);
  const isAnother = own.projections.some((item) => item.noun !== undefined && columnScore(item.noun) === 0);
  return { projections: own.projections, contexts: isAnother ? contexts : [...before, ...contexts] };
}

/** A table that stands for its names keeps standing beside its own columns. */
function shownBeside(base: Frame, own: Frame): readonly Projection[] {
  return base.projections.filter(
    (item) => !own.projections.some((other) => isSameName(item.noun, other.noun)),
  );
}

function editHavings(base: readonly HavingSlot[], own: readonly HavingSlot[]): HavingSlot[] {
  const kept = base.filter(
    (item) => !own.some((other) => other.aggregate === item.aggregate && isSameName(other.noun, item.noun)),
  );
  return [...kept, ...own];
}

/** "how many are there?", "list them", "and the average?": the same rows, asked for in another way. */
function answering(frame: Frame, base: Frame, turn: Turn): Frame {
  const { asks } = turn;
  const unranked = { ...frame, orders: [], limit: undefined, countBefore: undefined, rankedCount: undefined };
  if (asks === undefined) return frame;
  const shown = base.projections.map((item) => item.noun);
  const subject =
    shown.find((noun) => noun !== undefined && isTableLike(noun)) ?? base.contexts[0] ?? shown[0];
  if (asks === 'count')
    return {
      ...unranked,
      groups: [],
      grains: [],
      projections: [{ aggregate: 'count', isDistinct: frame.isDistinct, noun: subject }],
    };
  if (asks === 'rows')
    return { ...frame, groups: [], grains: [], projections: [{ isDistinct: false, noun: subject }] };
  const figures = base.projections.filter(
    (item) => item.aggregate !== 'count' && item.noun !== undefined && columnScore(item.noun) > 0,
  );
  const numbers = figures.some((item) => item.aggregate !== undefined)
    ? figures.filter((item) => item.aggregate !== undefined)
    : figures;
  if (numbers.length === 0)
    return {
      ...frame,
      dangling: [...frame.dangling, ...base.projections.flatMap((item) => item.noun ?? [])],
    };
  return {
    ...unranked,
    projections: [
      ...base.projections.filter((item) => frame.groups.length > 0 && !numbers.includes(item)),
      ...numbers.map((item) => ({ ...item, aggregate: asks })),
    ],
  };
}

/** Words that only say which end of an order is meant. */
const WHICH_END =
  /^(?:top|first|best|last|worst|highest|largest|biggest|greatest|most|lowest|smallest|fewest|least)$/i;
/** Words that take the order as it is. */
const AS_IT_IS = /^(?:top|first|best)$/i;

/** The order after a turn: "top 5 only" picks from the order that stands, or from the figures that are shown. */
function editOrders(base: Frame, own: Frame): OrderSlot[] {
  const [picked] = own.orders;
  if (picked === undefined) return base.orders;
  const isPicking =
    own.limit !== undefined && picked.noun === undefined && WHICH_END.test(picked.mention.text);
  if (!isPicking) return own.orders;
  if (base.orders.length > 0)
    return AS_IT_IS.test(picked.mention.text)
      ? base.orders
      : base.orders.map((order) => ({ ...order, direction: picked.direction }));
  const figure = base.projections.find((item) => item.aggregate !== undefined);
  const counted = base.groups.length + base.grains.length > 0 ? base.projections[0] : undefined;
  if (figure === undefined && counted === undefined) return own.orders;
  const { aggregate = 'count', noun } = figure ?? {};
  const isCount = aggregate === 'count';
  return [{ ...picked, attributes: [], isCount, ...(isCount ? {} : { aggregate, noun }) }];
}

/** A value takes the place of another value of its column; "also France" is set beside it. */
function editFilterSlots(base: readonly FilterSlot[], own: readonly FilterSlot[], turn: Turn): FilterSlot[] {
  const filters = [...base];
  for (const said of own) {
    const filter = withColumn(said, base);
    const place = filters.findIndex((other) => speaksOfSame(other, filter));
    const rival = filters[place];
    if (rival === undefined) filters.push(filter);
    else {
      const operands = turn.manner === 'add' ? [...rival.operands, ...filter.operands] : filter.operands;
      filters[place] = { ...filter, operands, connective: rival.connective };
    }
  }
  return filters;
}

function speaksOfSame(a: FilterSlot, b: FilterSlot): boolean {
  if (a.isNegated !== b.isNegated || a.operator !== b.operator) return false;
  const [left, right] = [a.operands[0]?.mention, b.operands[0]?.mention];
  if (left?.time !== undefined || right?.time !== undefined)
    return left?.time !== undefined && right?.time !== undefined;
  if (a.noun !== undefined && b.noun !== undefined) return isSameName(a.noun, b.noun);
  if (left === undefined || right === undefined) return false;
  return likelyColumns(left).some((id) => likelyColumns(right).includes(id)) || sharesAttribute(a, b);
}

function sharesAttribute(a: FilterSlot, b: FilterSlot): boolean {
  return (
    a.noun === undefined && b.noun === undefined && a.attributes.some((name) => b.attributes.includes(name))
  );
}

/** Columns a value may stand in, as likely as its best one. */
function likelyColumns({ values }: Mention): string[] {
  const best = values[0]?.score ?? 0;
  return values.filter((value) => value.score >= best - 0.05).map((value) => value.columnId);
}

/** "more than 2 only": a bare number is compared with what a number was compared with before. */
function withColumn(filter: FilterSlot, base: readonly FilterSlot[]): FilterSlot {
  const isBare = filter.noun === undefined && filter.attributes.length === 0 && isNumber(filter);
  const before = isBare ? base.findLast(isNumber) : undefined;
  return before === undefined ? filter : { ...filter, noun: before.noun, attributes: before.attributes };
}

function isNumber({ operands: [first] }: FilterSlot): boolean {
  return first?.kind === 'number';
}
