/** One question with its readings, as it was asked and judged. */
import { z } from 'zod';
import { RUN_RECORD } from '../../evaluation/runs/run-record.ts';

/**
 * - `right`: the reading that was meant. `choice`: another one, and a choice of the answer is the one that was meant. `wrong`: neither.
 * - `settles`, `unsettled`: asked back, with the reading that was meant among the options, or without.
 * - `declined`: refused or abstained. `error`: no outcome. `gold-failed`: the case itself is broken.
 */
export const READINGS_VERDICTS = [
  'right',
  'choice',
  'wrong',
  'settles',
  'unsettled',
  'declined',
  'error',
  'gold-failed',
] as const;

const OFFERED = z.object({
  label: z.string(),
  sql: z.string().optional(),
  /** Places of the readings whose rows it has. */
  readings: z.array(z.number()),
});

export const READINGS_RECORD = RUN_RECORD.extend({
  database: z.string(),
  question: z.string(),
  kind: z.enum(['ambiguous', 'clear']),
  meant: z.string(),
  verdict: z.enum(READINGS_VERDICTS),
  outcome: z.string().optional(),
  sql: z.string().optional(),
  said: z.string().optional(),
  /** Places of the readings whose rows the answer has. */
  readings: z.array(z.number()).optional(),
  /** What may be taken instead of what was answered, or the options of a question back. */
  offered: z.array(OFFERED).optional(),
});

export type ReadingsRecord = z.infer<typeof READINGS_RECORD>;
