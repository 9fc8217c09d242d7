/** One line of a run's file: what was asked, what came back and how it was judged. */
import { z } from 'zod';
import { readRecordLines, reopenRecordLines } from './record-lines.ts';

const OUTCOMES = ['answered', 'clarify', 'follow_up', 'reject', 'abstain'] as const;

/**
 * - `right`: the due outcome; for an answer also the gold result. `wrong`: answered with another result.
 * - `declined`: answerable, not answered. `forced`: answered although it should not be.
 * - `misjudged`: rightly not answered, but by another kind of outcome than the due one.
 * - `error`, `timeout`: no outcome, or SQL that failed or ran too long. `gold-failed`: the case itself is broken.
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
] as const;

const CASE_RECORD = z.object({
  suite: z.string(),
  id: z.string(),
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
  /** Place of the first right reading among those with results of their own, from 1; absent: none of the first four. */
  rightReading: z.number().optional(),
  /** Only where a refusal was due with a reason and came: whether it names that reason. */
  rightReason: z.boolean().optional(),
  /** What was said instead of an answer. */
  said: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export type CaseRecord = z.infer<typeof CASE_RECORD>;
export type CaseVerdict = CaseRecord['verdict'];

/** Reads the records of a run. A last line that was cut off by a crash is left out. */
export function readRecords(path: string): Promise<CaseRecord[]> {
  return readRecordLines(path, CASE_RECORD);
}

/** Reads the records of a run that is to go on; a torn last line is also removed from the file. */
export async function reopenRecords(path: string, suite: string): Promise<CaseRecord[]> {
  return reopenRecordLines(path, CASE_RECORD, (record) =>
    record.suite === suite ? undefined : `is a run of ${record.suite}, not of ${suite}`,
  );
}
