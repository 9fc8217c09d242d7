/** One line of a linking run's file: how one case was linked and how that was judged. */
import { z } from 'zod';

const SCORE = z.object({
  /** Numbers of ids. */
  gold: z.number(),
  linked: z.number(),
  recall: z.number(),
  precision: z.number(),
  f1: z.number(),
  strict: z.union([z.literal(0), z.literal(1)]),
  /** Gold ids that were not linked, at most 20. */
  missing: z.array(z.string()),
});

export const LINK_RECORD = z.object({
  set: z.string(),
  mode: z.string(),
  id: z.string(),
  database: z.string(),
  table: SCORE,
  /** Null where the case has no gold columns. */
  field: SCORE.nullable(),
  /** Right queries of the question, where there are several: the nearest is what was scored against. */
  golds: z.number().optional(),
  tokens: z.number(),
  ms: z.number(),
  keptShare: z.number(),
  keptTableShare: z.number(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export type LinkRecord = z.infer<typeof LINK_RECORD>;
export type LevelScore = z.infer<typeof SCORE>;
