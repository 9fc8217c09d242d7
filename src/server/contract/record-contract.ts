/** Records of answers as JSON over HTTP. */
import { z } from '@hono/zod-openapi';
import { RECORD } from '../../record.ts';
import { ANSWER } from './answer-contract.ts';

export const OUTCOME = z.enum(['answered', 'clarify', 'follow_up', 'reject', 'abstain']);
export const KEPT_RECORD = z.strictObject(RECORD.shape).openapi('Record');
export const LISTED_RECORD = z
  .strictObject({
    id: z.string(),
    at: z.string(),
    question: z.string(),
    kind: OUTCOME,
    rowCount: z.number().optional(),
    ms: z.number(),
    model: z.string().optional(),
    cost: z
      .number()
      .optional()
      .openapi({ description: 'In US dollars, where somebody says what a token costs.' }),
  })
  .openapi('ListedRecord');

export const RECORD_LIST = z.strictObject({
  records: z.array(LISTED_RECORD),
  next: z.string().optional().openapi({ description: 'There may be more, even where this page is empty.' }),
});

export const REPLAYED = z.strictObject({
  same: z.boolean(),
  differences: z.array(z.string()),
  answer: ANSWER,
});
