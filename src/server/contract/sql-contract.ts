/** What running a statement came to, as JSON over HTTP. */
import { z } from '@hono/zod-openapi';
import { NOTICES, ROWS } from './answer-contract.ts';

export const SQL_OUTCOME = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('answered'),
      sql: z.string(),
      columns: z.array(z.string()),
      rows: ROWS,
      truncatedBy: z.enum(['rows', 'bytes']).nullable(),
      cutCells: z.int(),
      notices: NOTICES,
      ms: z.number(),
    }),
    z.strictObject({
      kind: z.literal('planned'),
      sql: z.string(),
      plan: z.strictObject({
        rows: z.number().optional(),
        cost: z.number().optional(),
        bytes: z.number().optional(),
      }),
    }),
    z.strictObject({
      kind: z.literal('reject'),
      sql: z.string(),
      reason: z.enum(['unsafe', 'permission']),
      message: z.string(),
      offending: z.string(),
      nearest: z.array(z.string()),
    }),
  ])
  .openapi('SqlOutcome');
