import { z } from 'zod';
import { reviewQuery } from '../../../review-query.ts';
import type { ToolBench } from '../mcp-desk.ts';
import { orFailure, toolResult } from '../tool-result.ts';

const OUTPUT = z.object({
  risk: z.number(),
  action: z.string(),
  reason: z.string(),
  faults: z.array(z.string()),
  parts: z.array(z.object({ sql: z.string(), risk: z.number(), because: z.string() })),
  repaired: z.string().optional(),
});
const MOST_PARTS = 5;

/** `review_sql`: how likely a query is wrong, part by part. */
export function addReviewTool({ server, desk }: ToolBench): void {
  server.registerTool(
    'review_sql',
    {
      description:
        'How likely SQL is wrong for a question, 0 to 1, part by part, and a repair by rules. Nothing is run.',
      inputSchema: z.object({ sql: z.string().max(100_000), question: z.string().max(2_000).optional() }),
      outputSchema: OUTPUT,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ sql, question }, { mcpReq: { signal } }) =>
      orFailure(desk, async () => {
        const about = { ...(question !== undefined && { question }), repair: true, signal };
        const { assessment, decision, faults, unsafe, repair } = await reviewQuery(sql, desk.session, about);
        return toolResult({
          risk: round(assessment.queryRisk),
          action: unsafe === undefined ? decision.action : 'reject',
          reason: unsafe ?? decision.reason,
          faults: faults.map(({ text }) => text),
          parts: assessment.units.slice(0, MOST_PARTS).map(({ text, probability, reasons }) => ({
            sql: text,
            risk: round(probability),
            because: reasons.map((reason) => reason.text).join('; '),
          })),
          ...(repair?.verdict.isAccepted === true && { repaired: repair.sql }),
        } satisfies z.infer<typeof OUTPUT>);
      }),
  );
}

function round(probability: number): number {
  return Math.round(probability * 100) / 100;
}
