import type { SelectQuery } from '../../../sql/index.ts';
import { Cursor } from '../compose/cursor.ts';
import type { Frame, Projection } from '../compose/frame.ts';
import { completeFrame, fillFrame } from '../compose/parse-frame.ts';
import type { Mention } from '../mention/mention.ts';
import { unexplainedWords } from '../mention/unexplained-words.ts';
import type { Bound } from '../resolve/bound.ts';
import type { ResolveContext } from '../resolve/noun-candidates.ts';
import { resolveFrame } from '../resolve/resolve-frame.ts';
import { readingProbability } from '../score/reading-probability.ts';
import { type RatioSides, ratioQuery } from './ratio-query.ts';
import { restoreMentions } from './restore-mentions.ts';
import { sideMentions, splitRatio } from './split-ratio.ts';

/** Bindings of each side that are looked at, and readings of the whole. */
const MOST = 4;

export interface RatioReading {
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
