/** One line of a run's file: what was asked, what came back and how it was judged. */
import { z } from 'zod';
import { lastOfEach, RUN_RECORD, readRecordLines } from './runs/run-record.ts';

const OUTCOMES = ['answered', 'clarify', 'follow_up', 'reject', 'abstain'] as const;

/**
 * - `right`: the due outcome; for an answer also the gold result. `wrong`: answered with another result.
 * - `declined`: answerable, not answered. `forced`: answered although it should not be.
 * - `misjudged`: rightly not answered, but by another kind of outcome than the due one.
 * - `error`, `timeout`: no outcome, or SQL that failed or ran too long. `gold-failed`: the case itself is broken.
 * - `not-recorded`: a recording was to answer, and does not hold a prompt of this case: it has changed since.
 */
export const CASE_VERDICTS = [
  'right',
  'wrong',
  'declined',
  'forced',
  'misjudged',
  'error',
  'timeout',
  'gold-failed',
  'not-recorded',
] as const;

const ARMS = ['candor', 'plain'] as const;

/** Who is asked: the product, or with a model that model alone, with everything pasted into one prompt. */
export type Arm = (typeof ARMS)[number];

export const CASE_RECORD = RUN_RECORD.extend({
  index: z.number(),
  database: z.string(),
  category: z.string().optional(),
  hardness: z.string().optional(),
  tags: z.array(z.string()),
  question: z.string(),
  hint: z.string().optional(),
  expected: z.enum(OUTCOMES),
  /** Absent when asking failed or took too long. */
  outcome: z.enum(OUTCOMES).optional(),
  verdict: z.enum(CASE_VERDICTS),
  correct: z.boolean(),
  sql: z.string().optional(),
  gold: z.string().optional(),
  probability: z.number().optional(),
  /** That the query is wrong, by the model of uncertainty. */
  risk: z.number().optional(),
  /** The same by the SQL alone. */
  sqlRisk: z.number().optional(),
  thinkMs: z.number().optional(),
  /** Absent: Candor itself. */
  arm: z.enum(ARMS).optional(),
  /** What was looked up on the way to the outcome. */
  lookUps: z
    .object({
      queries: z.number(),
      plans: z.number(),
      valueSearches: z.number(),
      vectorSearches: z.number(),
    })
    .optional(),
  /** Of a case that is due an answer: the share of the nearest gold's tables and columns that the query reads, in [0, 1]. */
  recall: z.object({ tables: z.number(), columns: z.number().optional() }).optional(),
  /** Of a case that is due an answer, where a judge was asked: its rating by the rubric, or the code of what kept it from it. */
  rubric: z
    .union([
      z.object({
        by: z.string(),
        score: z.literal([1, 2, 3, 4, 5]),
        flags: z.array(z.string()),
        because: z.string(),
      }),
      z.object({ by: z.string(), failed: z.string() }),
    ])
    .optional(),
  /** Of an answer: whether an assumption, an unused word, a failed check or a risk above one half warns of it. */
  isMarked: z.boolean().optional(),
  /** Place of the first right reading among those with results of their own, from 1; absent: none of the first four. */
  rightReading: z.number().optional(),
  /** Only where a refusal was due with a reason and came: whether it names that reason. */
  rightReason: z.boolean().optional(),
  /** What was said instead of an answer. */
  said: z.string().optional(),
});

export type CaseRecord = z.infer<typeof CASE_RECORD>;
export type CaseVerdict = CaseRecord['verdict'];

/** Whose run it is; two runs that differ in it are two runs. */
export type CaseAuthor = Pick<CaseRecord, 'suite' | 'model' | 'arm' | 'mode'>;

/** Reads the records of a run, the last of each case. A last line that was cut off by a crash is left out. */
export async function readRecords(path: string): Promise<CaseRecord[]> {
  return lastOfEach(await readRecordLines(path, CASE_RECORD));
}
