/** One broken query as it was mended and judged. */
import { z } from 'zod';
import { CASE_ENGINES } from '../../corpus/engine-databases.ts';
import { RUN_RECORD } from '../../evaluation/runs/run-record.ts';

/**
 * - `right`: mended, with the rows of the gold; where none is due, that an error is left was told.
 * - `offered`: not mended, and one of the queries that are offered has the rows of the gold.
 * - `told`: not mended, and that an error is left was told. `wrong`: said to be good, with other rows or none.
 * - `forced`: said to be mended where nothing can mend it.
 * - `error`: nothing came. `gold-failed`: the case itself is broken.
 */
export const BROKEN_VERDICTS = [
  'right',
  'offered',
  'told',
  'wrong',
  'forced',
  'error',
  'gold-failed',
] as const;

export const BROKEN_RECORD = RUN_RECORD.extend({
  database: z.string(),
  engine: z.enum(CASE_ENGINES),
  query: z.string(),
  engineError: z.string(),
  intent: z.string(),
  gold: z.array(z.string()).nullable(),
  verdict: z.enum(BROKEN_VERDICTS),
  /** The query that stands in its place. */
  mended: z.string().optional(),
  /** What was said: the problems, the changes, what to do next. */
  said: z.string().optional(),
  note: z.string().optional(),
});

export type BrokenRecord = z.infer<typeof BROKEN_RECORD>;
