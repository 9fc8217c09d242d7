import type { Frame, HavingSlot, Projection } from '../compose/frame.ts';
import { columnScore, isTableLike } from '../compose/nouns.ts';
import type { Mention } from '../mention/mention.ts';
import { editFilterSlots } from './edit-filter-slots.ts';
import { editOrders } from './edit-orders.ts';
import { isSameName } from './is-same-name.ts';
import type { Turn } from './turn.ts';

/** The frame of a question about tables as a turn changes it; `own` is what the words of the turn say alone. */
export function editFrame(base: Frame, own: Frame, turn: Turn): Frame {
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
