import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type LinkedQuestion, linkingOf, linkQuestion } from '../../../answering/prompt/index.ts';
import type { McpParts } from '../replies/mcp-parts.ts';
import { answerToolCall, dataBlock, leanSchema, type ToolReply } from '../replies/tool-replies.ts';
import { LOCAL } from './annotations.ts';
import { UNTRUSTED } from './answer-reply.ts';

const INPUT = z.object({ question: z.string().min(1).max(2_000), hint: z.string().max(2_000).optional() });
const OUTPUT = z.object({
  message: z.string(),
  tables: z.array(z.object({ id: z.string(), columns: z.array(z.string()) })),
  because: z.array(z.object({ id: z.string(), reasons: z.array(z.string()), unsure: z.boolean() })),
  ...UNTRUSTED,
});

/** `link_schema`: the tables and columns that a question needs, with the reasons. */
export function addLinkSchemaTool(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'link_schema',
    {
      description: 'The tables and columns a question needs, and why.',
      inputSchema: leanSchema(INPUT),
      outputSchema: leanSchema(OUTPUT),
      annotations: LOCAL,
    },
    ({ question, hint }, context) =>
      answerToolCall(context, parts, async () => {
        const found = await linkQuestion(question, await linkingOf(parts.session), {
          ...(hint !== undefined && { hint }),
          signal: context.mcpReq.signal,
        });
        return replyOf(found);
      }),
  );
}

function replyOf({ question, linked }: LinkedQuestion): ToolReply {
  const untrusted = ['because'];
  if (linked === null) {
    const message = `not linked: ${question.because}`;
    return { fields: { message, tables: [], because: [], untrusted }, text: message };
  }
  const tables = linked.catalog.tables.map(({ id, columns }) => ({
    id,
    columns: columns.map(({ name }) => name),
  }));
  const because = linked.items.map(({ id, because: reasons, tier }) => ({
    ...{ id, unsure: tier === 'maybe' },
    reasons: reasons.map(({ text }) => text),
  }));
  const message = [...linked.why, ...linked.leftOut, ...linked.warnings].join('; ');
  const lines = because.map(({ id, unsure, reasons }) => `${id}${unsure ? '?' : ''}: ${reasons.join('; ')}`);
  return { fields: { message, tables, because, untrusted }, text: `${message}\n${dataBlock(lines)}` };
}
