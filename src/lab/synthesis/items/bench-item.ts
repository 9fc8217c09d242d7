/** One item of a benchmark or of training data: what is asked, in which context, and what is due; BAR-SQL §6 and §9. */
import { z } from 'zod';
import type { QueryResult } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import { compareResults } from '../../evaluation/comparators/index.ts';
import { type QuerySetting, runQuery } from '../../evaluation/comparators/run-query.ts';

export const CATEGORIES = [
  'standard',
  'multi_step',
  'reflection',
  'degenerate',
  'ambiguity',
  'follow_up',
  'dim_reject',
  'metric_reject',
] as const;

export type Category = (typeof CATEGORIES)[number];

/** Train, validation and test share no template and no combination of values. */
export const SPLITS = ['train', 'valid', 'test'] as const;
export type Split = (typeof SPLITS)[number];

const GAPS = ['time', 'intent', 'term', 'value', 'join-path', 'metric'] as const;

const DUE = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('answered') }),
  z.strictObject({ kind: z.literal('clarify'), gap: z.enum(GAPS), phrase: z.string() }),
  z.strictObject({ kind: z.literal('follow_up'), metric: z.string(), dimension: z.string() }),
  z.strictObject({ kind: z.literal('reject'), reason: z.enum(['metric', 'dimension']), missing: z.string() }),
]);

/** How the knowledge that a question is asked with differs from the project's own; BAR-SQL §5. */
const CONTEXT_EDIT = z.discriminatedUnion('kind', [
  /** Columns that the schema no longer has, nor what the semantic model says of them. */
  z.strictObject({ kind: z.literal('hide-columns'), columns: z.array(z.string()).min(1) }),
  /** A dimension that now stands in the table of the facts; its own column is gone. */
  z.strictObject({
    kind: z.literal('move-dimension'),
    dimension: z.string(),
    table: z.string(),
    /** Name of the column in that table. */
    column: z.string(),
    /** What the table now is: a query over the table as it was. */
    sql: z.string(),
  }),
  /** A dimension that a metric now demands. */
  z.strictObject({ kind: z.literal('demand'), metric: z.string(), dimension: z.string() }),
]);

export const BENCH_ITEM = z.strictObject({
  id: z.string().min(1),
  category: z.enum(CATEGORIES),
  /** Which way of making the category, such as `share-change` or `vague-time`. */
  kind: z.string(),
  split: z.enum(SPLITS),
  question: z.string().min(1),
  /** The words of the lists, where a model has put others in their place. */
  templateQuestion: z.string().min(1).optional(),
  /** A query that failed before, with what the engine said. */
  errorSql: z.string().optional(),
  errorMessage: z.string().optional(),
  due: DUE,
  /** SQL, or one sentence that asks back or refuses. */
  gold: z.string().min(1),
  goldKind: z.enum(['sql', 'nl']),
  /** Other queries whose result is right too. */
  otherGolds: z.array(z.string()).optional(),
  /** How the context differs from that of the project. */
  edits: z.array(CONTEXT_EDIT),
  /** The day that "today" means. */
  now: z.iso.date(),
  /** Reasons that lead to the gold, citing facts of the context only. */
  think: z.string(),
  citations: z.array(
    z.strictObject({ store: z.enum(['schema', 'metric', 'domain', 'data']), ref: z.string() }),
  ),
  templateId: z.string(),
  /** `dimension=value`, in order. */
  entities: z.array(z.string()),
  /** The standard item that it was made of; its own id for those. */
  seedId: z.string(),
});

export type BenchItem = z.infer<typeof BENCH_ITEM>;
export type Due = BenchItem['due'];
export type Citation = BenchItem['citations'][number];

/** A number for each category. */
export function countCategories(count: (category: Category) => number): Record<Category, number> {
  return {
    standard: count('standard'),
    multi_step: count('multi_step'),
    reflection: count('reflection'),
    degenerate: count('degenerate'),
    ambiguity: count('ambiguity'),
    follow_up: count('follow_up'),
    dim_reject: count('dim_reject'),
    metric_reject: count('metric_reject'),
  };
}

export type ContextEdit = z.infer<typeof CONTEXT_EDIT>;

/** Tells whether a result has the rows of a gold; without a result it has not. Throws `bench.other-project`. */
export type GoldTest = (predicted: QueryResult | undefined) => Promise<boolean>;

/**
 * The test of one item: its golds run once each, and no later one than is needed. One that fails makes the item
 * broken, not the result wrong.
 */
export function goldTest(
  { id, gold, otherGolds = [] }: Pick<BenchItem, 'id' | 'gold' | 'otherGolds'>,
  setting: QuerySetting,
): GoldTest {
  const golds = [gold, ...otherGolds];
  const results: QueryResult[] = [];
  const resultAt = async (place: number, sql: string): Promise<QueryResult> => {
    const known = results[place];
    if (known !== undefined) return known;
    const ran = await runQuery(sql, setting);
    if (!ran.ok)
      throw new CandorError('bench.other-project', `The gold of ${id} fails: ${ran.error.message}`);
    results[place] = ran.result;
    return ran.result;
  };
  return async (predicted) => {
    for (const [place, sql] of golds.entries()) {
      const right = await resultAt(place, sql);
      if (predicted === undefined) return false;
      const verdict = compareResults(right, predicted, { policy: 'answer', orderMatters: false });
      if (verdict === 'equal') return true;
    }
    return false;
  };
}
