/** How a query is judged and how a question is read, as JSON over HTTP. */
import { z } from '@hono/zod-openapi';

const SPAN = z.strictObject({ start: z.int(), end: z.int() });
const ACTION = z.enum(['answer', 'warn', 'repair', 'abstain']);

export const REVIEW = z
  .strictObject({
    sql: z.string(),
    queryRisk: z.number().openapi({ description: 'Probability that it does not answer its question.' }),
    action: ACTION,
    reason: z.string(),
    unassessed: z.string().optional().openapi({ description: 'Why no part has a risk.' }),
    stopsAt: z.strictObject({ line: z.int(), column: z.int(), message: z.string() }).optional(),
    units: z
      .array(
        z.strictObject({
          kind: z.string(),
          span: SPAN,
          text: z.string(),
          probability: z.number(),
          reasons: z.array(z.string()),
        }),
      )
      .openapi({ description: 'Parts that a person can point at, likeliest wrong first.' }),
    faults: z.array(
      z.strictObject({ span: SPAN, text: z.string(), isRefused: z.boolean(), instead: z.array(z.string()) }),
    ),
    repair: z
      .strictObject({
        sql: z.string(),
        isAccepted: z.boolean(),
        detail: z.string().optional(),
        queryRisk: z.number(),
        action: ACTION,
        changes: z.array(z.strictObject({ from: z.string(), to: z.string(), because: z.string() })),
      })
      .optional(),
  })
  .openapi('Review');

const MENTION = z.strictObject({ span: SPAN, text: z.string(), meaning: z.string() });

export const EXPLAINED = z
  .strictObject({
    question: z.string(),
    readAs: z.string(),
    mentions: z.array(MENTION),
    unexplained: z.array(MENTION).openapi({ description: 'Words that nothing explains.' }),
    readings: z
      .array(
        z.strictObject({
          sql: z.string(),
          probability: z.number(),
          explanation: z.string(),
          rules: z.array(z.string()),
          assumptions: z.array(z.string()),
          metrics: z.array(z.string()),
          dimensions: z.array(z.string()),
          parts: z.array(z.strictObject({ sql: z.string(), because: z.string() })),
        }),
      )
      .openapi({ description: 'Likeliest first.' }),
    decision: z.strictObject({
      kind: z.enum(['sql', 'clarify', 'follow_up', 'reject', 'abstain']),
      text: z.string().optional().openapi({ description: 'What would be asked or said.' }),
      options: z.array(z.string()).optional(),
    }),
  })
  .openapi('ExplainedQuestion');
