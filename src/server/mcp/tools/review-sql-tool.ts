import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Review, reviewQuery } from '../../../answering/review/index.ts';
import type { McpParts } from '../replies/mcp-parts.ts';
import { answerToolCall, dataBlock, leanSchema, type ToolReply } from '../replies/tool-replies.ts';
import { LOCAL } from './annotations.ts';
import { UNTRUSTED } from './answer-reply.ts';

const MOST_PARTS = 10;

const INPUT = z.object({
  sql: z.string().min(1).max(100_000),
  question: z.string().max(2_000).optional().describe('What it should answer'),
  hint: z.string().max(2_000).optional(),
});
const OUTPUT = z.object({
  risk: z.number(),
  action: z.string(),
  reason: z.string(),
  parts: z.array(z.object({ text: z.string(), risk: z.number(), reasons: z.array(z.string()) })),
  faults: z.array(z.string()),
  repaired: z.string().optional(),
  ...UNTRUSTED,
});

/** `review_sql`: how likely each part of a query is wrong; nothing is run. */
export function addReviewSqlTool(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'review_sql',
    {
      description: 'How likely each part of a query is wrong, and why.',
      inputSchema: leanSchema(INPUT),
      outputSchema: leanSchema(OUTPUT),
      annotations: LOCAL,
    },
    ({ sql, question, hint }, context) =>
      answerToolCall(context, parts, async () => {
        const { targetRisk } = parts.session.config;
        const review = await reviewQuery(sql, parts.session, {
          ...(question !== undefined && { question }),
          ...(hint !== undefined && { hint }),
          ...(targetRisk !== undefined && { targetRisk }),
          repair: true,
          signal: context.mcpReq.signal,
        });
        return replyOf(review);
      }),
  );
}

function replyOf({ assessment, parts, decision, faults, repair, broken, unused, basis }: Review): ToolReply {
  const risky = parts.slice(0, MOST_PARTS);
  const fields: z.infer<typeof OUTPUT> = {
    risk: assessment.queryRisk,
    action: decision.action,
    reason: decision.reason,
    parts: risky.map(({ text, probability, reasons }) => ({
      ...{ text, risk: probability },
      reasons: reasons.map((reason) => reason.text),
    })),
    faults: [
      ...faults.map(({ text, instead }) => (instead.length === 0 ? text : `${text}: ${instead.join(', ')}`)),
      ...broken,
      ...unused.map(({ text }) => `nothing in the query answers to “${text}”`),
    ],
    ...(repair?.verdict.isAccepted === true && { repaired: repair.sql }),
    untrusted: ['faults', 'parts', 'reason'],
  };
  const lines = [
    ...fields.faults.map((fault) => ({ fault })),
    ...fields.parts.map(
      ({ text, risk, reasons }) => `${Math.round(100 * risk)} % ${text}: ${reasons.join('; ')}`,
    ),
    ...(fields.repaired === undefined ? [] : [{ repaired: fields.repaired }]),
  ];
  const like = basis === undefined ? '' : ` (of ${basis.of} like it ${basis.wrong} were)`;
  const head = `${decision.action}; ${Math.round(100 * fields.risk)} % likely wrong${like}`;
  return { fields, text: `${head}\n${dataBlock([decision.reason, ...lines])}` };
}
