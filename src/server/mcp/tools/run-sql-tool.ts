import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CandorError } from '../../../errors.ts';
import { runSql } from '../../../run-sql.ts';
import { answerToolCall, type ToolReply } from '../answer-tool-call.ts';
import { leanSchema } from '../lean-schema.ts';
import type { McpParts } from '../mcp-parts.ts';
import { LOCAL } from './annotations.ts';
import { ROW_FIELDS, rowFields, rowText, UNTRUSTED } from './answer-reply.ts';

const MOST_ROWS = 1_000;
const DEFAULT_ROWS = 100;

const INPUT = z.object({
  sql: z.string().min(1).max(100_000),
  limit: z.int().min(1).max(MOST_ROWS).optional(),
});
const OUTPUT = z.object({
  kind: z.enum(['answered', 'reject']),
  message: z.string(),
  ...ROW_FIELDS,
  nearest: z.array(z.string()).optional(),
  ...UNTRUSTED,
});

/** `run_sql`: one reading statement through the guard. */
export function addRunSqlTool(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'run_sql',
    {
      description: 'Run one reading SQL statement through the guard. Prefer ask.',
      inputSchema: leanSchema(INPUT),
      outputSchema: leanSchema(OUTPUT),
      annotations: LOCAL,
    },
    (input, context) => answerToolCall(context, parts, () => run(input, parts, context.mcpReq.signal)),
  );
}

async function run(
  { sql, limit = DEFAULT_ROWS }: z.infer<typeof INPUT>,
  { session: { database, config } }: McpParts,
  signal: AbortSignal,
): Promise<ToolReply> {
  const limits = { ...config.limits, rows: Math.min(limit, config.limits.rows) };
  const outcome = await runSql(sql, { database, config: { ...config, limits } }, { signal });
  if (outcome.kind === 'reject') {
    const { kind, message, nearest, reason } = outcome;
    return {
      fields: { kind, message, nearest, untrusted: ['nearest'] },
      text: `refused (${reason}): ${message}`,
    };
  }
  if (outcome.kind === 'planned')
    throw new CandorError('internal.bug', 'A statement was planned and not run.');
  const rows = rowFields(outcome, limit);
  const message = outcome.cutCells > 0 ? `cells cut for their size: ${outcome.cutCells}` : 'ran';
  return {
    fields: { kind: 'answered', message, ...rows, untrusted: ['rows', 'columns'] },
    text: `${message}, ${rowText(rows)}`,
  };
}
