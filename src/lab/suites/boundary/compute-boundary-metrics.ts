import { z } from 'zod';
import type { ToldAnswer } from '../../evaluation/compute-metrics.ts';
import { wilsonInterval } from '../../metrics/intervals.ts';
import { CATEGORIES, type Category } from '../../synthesis/items/bench-item.ts';

/** A share in percent with its 95 % interval (Wilson); of nothing it is 0 with 0–100. */
export interface ShareFigure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly hits: number;
  readonly of: number;
}

export interface BoundaryMetrics {
  /** Share of right items in each category. */
  readonly perCategory: Readonly<Record<Category, ShareFigure>>;
  /** Plain mean of the shares (BAR-SQL §9) of those of the eight categories that have items; 0 without any. */
  readonly meanOfEight: number;
  /** Answered, of the items that are due another outcome. */
  readonly forcedAnswer: ShareFigure;
  /** Not answered, of the items that are due an answer. */
  readonly overAbstention: ShareFigure;
  /** Naming the true missing item, of the due clarifications, follow-ups and refusals that came. */
  readonly rightReason: ShareFigure;
  /** How often each outcome came, by the due one. */
  readonly confusion: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export function computeBoundaryMetrics(records: readonly BoundaryRecord[]): BoundaryMetrics {
  const share = (of: readonly BoundaryRecord[], isHit: (record: BoundaryRecord) => boolean): ShareFigure =>
    shareOf(of.filter(isHit).length, of.length);
  const ofCategory = (category: Category): ShareFigure =>
    share(
      records.filter((record) => record.category === category),
      ({ isRight }) => isRight,
    );
  const perCategory = {
    standard: ofCategory('standard'),
    multi_step: ofCategory('multi_step'),
    reflection: ofCategory('reflection'),
    degenerate: ofCategory('degenerate'),
    ambiguity: ofCategory('ambiguity'),
    follow_up: ofCategory('follow_up'),
    dim_reject: ofCategory('dim_reject'),
    metric_reject: ofCategory('metric_reject'),
  };
  const negatives = records.filter(({ due }) => due !== 'answered');
  const positives = records.filter(({ due }) => due === 'answered');
  const refused = negatives.filter(({ isRightReason }) => isRightReason !== undefined);
  return {
    perCategory,
    meanOfEight: meanOf(CATEGORIES.map((category) => perCategory[category])),
    forcedAnswer: share(negatives, ({ outcome }) => outcome === 'answered'),
    overAbstention: share(positives, ({ outcome }) => outcome !== 'answered'),
    rightReason: share(refused, ({ isRightReason }) => isRightReason === true),
    confusion: confusionOf(records),
  };
}

function meanOf(figures: readonly ShareFigure[]): number {
  const asked = figures.filter(({ of }) => of > 0);
  return asked.length === 0 ? 0 : asked.reduce((sum, { value }) => sum + value, 0) / asked.length;
}

/** What the risk of the answers came to; an answer where none was due is wrong. */
export function toldBoundary(records: readonly BoundaryRecord[]): readonly ToldAnswer[] {
  return records.flatMap(({ id, question, risk, isRight, outcome }) =>
    risk === undefined || outcome !== 'answered' ? [] : [{ id, question, risk, isWrong: !isRight }],
  );
}

function shareOf(hits: number, of: number): ShareFigure {
  const { low, high } = wilsonInterval(hits, of);
  return { value: of === 0 ? 0 : (100 * hits) / of, low: 100 * low, high: 100 * high, hits, of };
}

function confusionOf(records: readonly BoundaryRecord[]): BoundaryMetrics['confusion'] {
  const table: Record<string, Record<string, number>> = {};
  for (const { due, outcome = 'error' } of records) {
    const row = table[due] ?? {};
    row[outcome] = (row[outcome] ?? 0) + 1;
    table[due] = row;
  }
  return table;
}

/** One item of a benchmark as it was asked and judged. */
const OUTCOMES = ['answered', 'clarify', 'follow_up', 'reject', 'abstain'] as const;

export const BOUNDARY_RECORD = z.object({
  id: z.string(),
  category: z.enum(CATEGORIES),
  kind: z.string(),
  question: z.string(),
  due: z.enum(OUTCOMES),
  /** Absent when asking failed. */
  outcome: z.enum(OUTCOMES).optional(),
  /** The due outcome; for an answer the gold result, for the others that they name the true missing item. */
  isRight: z.boolean(),
  /** Only where another outcome than an answer was due and came: whether it names the true missing item. */
  isRightReason: z.boolean().optional(),
  /** The SQL, or what was said in its place. */
  said: z.string(),
  /** Of an answer: that it is wrong. */
  risk: z.number().optional(),
  gold: z.string(),
  thinkMs: z.number().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export type BoundaryRecord = z.infer<typeof BOUNDARY_RECORD>;
