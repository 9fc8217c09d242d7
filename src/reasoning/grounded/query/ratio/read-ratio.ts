import type { SelectQuery } from '../../../../sql/print/index.ts';
import { Cursor } from '../../compose/frame/cursor.ts';
import type { Frame, Projection } from '../../compose/frame/frame.ts';
import { isTableLike } from '../../compose/frame/nouns.ts';
import { completeFrame, fillFrame } from '../../compose/parse-frame.ts';
import type { Mention } from '../../question/mention/mention.ts';
import { unexplainedWords } from '../../question/mention/unexplained-words.ts';
import { readingProbability } from '../../rate/reading-probability.ts';
import type { Bound, BoundFilter } from '../../resolve/bound.ts';
import type { ResolveContext } from '../../resolve/noun-candidates.ts';
import { resolveFrame } from '../../resolve/resolve-frame.ts';
import { type RatioSides, ratioQuery } from './ratio-query.ts';

/** Bindings of each side that are looked at, and readings of the whole. */
const MOST = 4;

interface RatioReading {
  readonly query: SelectQuery;
  readonly bound: Bound;
  readonly probability: number;
}

export interface Ratio {
  /** Best first. */
  readonly readings: readonly RatioReading[];
  /** The upper side's, with every mention that either side uses. */
  readonly frame: Frame;
}

interface Side {
  readonly frame: Frame;
  readonly mentions: readonly Mention[];
  readonly bounds: readonly Bound[];
}

/** Reads a question for a ratio of two figures; undefined when it asks for none, or for one that cannot be made. */
export function readRatio(mentions: readonly Mention[], context: ResolveContext): Ratio | undefined {
  const parts = splitRatio(mentions);
  if (parts === undefined) return undefined;
  const { over, under, group, cue, isAverage } = parts;
  const used = new Set([cue.index]);
  const [upper, lower] = [over, under].map((side) => readSide(side, group, used, context));
  if (upper === undefined || lower === undefined) return undefined;
  const readings = upper.bounds
    .flatMap((one) => lower.bounds.map((other) => ({ over: one, under: other, isAverage, cue })))
    .filter(isOfSameGroups)
    .flatMap((sides): RatioReading[] => {
      const query = ratioQuery(sides, context);
      if (query === null) return [];
      const [one, other] = [
        probabilityOf(upper, sides.over, context),
        probabilityOf(lower, sides.under, context),
      ];
      // As sure as its less sure side; among those that are equal the other decides.
      return [
        {
          query,
          bound: sides.over,
          probability: Math.min(one, other) * (1 - (1 - Math.max(one, other)) / 100),
        },
      ];
    })
    .sort((a, b) => b.probability - a.probability);
  if (readings.length === 0) return undefined;
  const frame = { ...upper.frame, rules: [...upper.frame.rules, ...lower.frame.rules, 'ratio'], used };
  // What stands around the ratio and says more than it narrows it in a way that is not read.
  const isMore = unexplainedWords(mentions, used).length > 0;
  return {
    readings: isMore ? readings.map((it) => ({ ...it, probability: it.probability / 4 })) : readings,
    frame,
  };
}

function readSide(
  side: readonly Mention[],
  group: readonly Mention[],
  used: Set<number>,
  context: ResolveContext,
): Side {
  const { mentions, original } = sideMentions(side, group);
  const frame = parseSide(mentions);
  for (const index of frame.used) used.add(original.get(index) ?? index);
  const bounds = resolveFrame(frame, context, MOST).map((bound) => restoreMentions(bound, original));
  return { frame, mentions, bounds };
}

/** A plain column stays one; until the frame is complete it passes for a figure, so that its groups are kept. */
function parseSide(mentions: readonly Mention[]): Frame {
  const filled = fillFrame(new Cursor(mentions));
  const plain = new Set(
    filled.projections.flatMap((item) => (item.aggregate === undefined ? (item.noun ?? []) : [])),
  );
  const isPlain = ({ noun }: Projection): boolean => noun !== undefined && plain.has(noun);
  filled.projections = filled.projections.map((item) =>
    isPlain(item) ? { ...item, aggregate: 'sum' } : item,
  );
  const frame = completeFrame(filled);
  return {
    ...frame,
    projections: frame.projections.map((item) => (isPlain(item) ? { ...item, aggregate: undefined } : item)),
  };
}

function isOfSameGroups({ over, under }: RatioSides): boolean {
  const name = ({ groups }: Bound): string =>
    groups.map(({ tableId, column, part }) => `${column?.id ?? tableId}:${part}`).join();
  return name(over) === name(under);
}

function probabilityOf({ frame, mentions }: Side, bound: Bound, context: ResolveContext): number {
  const unnamed = [...bound.tables].filter((table) => table !== bound.subject && !context.named.has(table));
  return readingProbability({ bound, frame, mentions, extraTables: unnamed.length });
}

/** The same bound frame with the mentions of the whole question, so that every part of the SQL names the words that caused it. */
function restoreMentions(bound: Bound, original: ReadonlyMap<number, number>): Bound {
  const one = (mention: Mention): Mention => ({
    ...mention,
    index: original.get(mention.index) ?? mention.index,
  });
  const maybe = <Item extends { readonly mention?: Mention }>(item: Item): Item =>
    item.mention === undefined ? item : { ...item, mention: one(item.mention) };
  const filters = (items: readonly BoundFilter[]): BoundFilter[] =>
    items.map((item) => ({ ...item, mention: one(item.mention) }));
  return {
    ...bound,
    projections: bound.projections.map(maybe),
    filters: filters(bound.filters),
    groups: bound.groups.map(maybe),
    orders: bound.orders.map(maybe),
    havings: bound.havings.map(maybe),
    absences: bound.absences.map((item) => ({ ...maybe(item), filters: filters(item.filters) })),
    stated: bound.stated.map(maybe),
  };
}

/** "the ratio of A to B for each C", taken apart: mentions as they stand in the question. */
interface RatioParts {
  readonly over: readonly Mention[];
  readonly under: readonly Mention[];
  /** "for each C", with its cue; empty when nothing splits. */
  readonly group: readonly Mention[];
  readonly cue: Mention;
  /** "the average ratio of": of each row, and then its mean. */
  readonly isAverage: boolean;
}

/** Takes a question for a ratio apart, or says that it asks for none. */
function splitRatio(mentions: readonly Mention[]): RatioParts | undefined {
  const at = mentions.findIndex(({ cue, text }) => cue?.kind === 'share' && /ratio|proportion/i.test(text));
  const cue = mentions[at];
  if (cue === undefined) return undefined;
  const stop = mentions.findIndex((mention, index) => index > at && mention.isSentenceEnd);
  const end = stop === -1 ? mentions.length : stop;
  const to = mentions.findIndex((mention, index) => index > at + 1 && index < end && isAgainst(mention));
  if (to === -1) return undefined;
  const before = leadingGroup(mentions.slice(0, at));
  const found = mentions.findIndex(
    (mention, index) => index > to + 1 && index < end && opensGroup(mention, mentions),
  );
  const behind = found === -1 ? end : found;
  const over = mentions.slice(at + 1, to);
  const under = mentions.slice(to + 1, behind);
  if (!over.some(isNamed) || !under.some(isNamed)) return undefined;
  const group = before.length > 0 ? before : mentions.slice(behind, end);
  const isAverage = mentions.slice(Math.max(0, at - 2), at).some(isMean);
  return { over, under, group, cue, isAverage };
}

function isAgainst({ text, cue }: Mention): boolean {
  return cue !== undefined && /^(?:to|out of|versus|vs|against)(?: the| all)?$/i.test(text);
}

/** "for each country", "by country"; not "cited by 2 papers". */
function opensGroup({ cue, index }: Mention, mentions: readonly Mention[]): boolean {
  if (cue?.kind === 'group') return true;
  const [before, after] = [mentions[index - 1], mentions[index + 1]];
  return cue?.kind === 'by' && !/(?:ed|en)$/i.test(before?.text ?? '') && (after?.nouns.length ?? 0) > 0;
}

function isNamed({ nouns, values }: Mention): boolean {
  return nouns.length + values.length > 0;
}

function isMean({ cue }: Mention): boolean {
  return cue?.kind === 'aggregate' && cue.function === 'avg';
}

/** "For each country, what is the ratio …". */
function leadingGroup(lead: readonly Mention[]): readonly Mention[] {
  const comma = lead.findIndex((mention) => mention.isComma);
  return lead[0]?.cue?.kind === 'group' && comma !== -1 ? lead.slice(0, comma) : [];
}

/**
 * One side as a question of its own: rows are counted where neither a count nor a column is named. Indexes begin at
 * 0, as the rules expect; `original` gives those of the question.
 */
function sideMentions(
  side: readonly Mention[],
  group: readonly Mention[],
): { readonly mentions: readonly Mention[]; readonly original: ReadonlyMap<number, number> } {
  const isFigure = side.find(({ cue }) => cue?.kind !== 'stop')?.cue;
  const head = side.find(({ nouns, cue }) => nouns.length > 0 && cue?.kind !== 'stop');
  const next = head === undefined ? undefined : side[side.indexOf(head) + 1];
  const isRows =
    head !== undefined && (isTableLike(head) || (next !== undefined && isTableLike(next) && !next.cue));
  const lead = isFigure?.kind !== 'count' && isFigure?.kind !== 'aggregate' && isRows ? [countCue(head)] : [];
  const all = [...lead, ...side, ...group];
  const original = new Map(all.map((mention, index) => [index, mention.index] as const));
  return { mentions: all.map((mention, index) => ({ ...mention, index })), original };
}

/** The words "number of" before a noun that is to be counted. */
function countCue(noun: Mention): Mention {
  return {
    ...noun,
    text: 'number of',
    cue: { kind: 'count' },
    nouns: [],
    values: [],
    isQuoted: false,
    isUnknown: false,
  };
}
