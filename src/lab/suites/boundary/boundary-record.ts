/** One item of a benchmark as it was asked and judged. */
import { z } from 'zod';
import { CATEGORIES } from '../../synthesis/items/bench-item.ts';

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
  gold: z.string(),
  thinkMs: z.number().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export type BoundaryRecord = z.infer<typeof BOUNDARY_RECORD>;
