import type { InputRequiredResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { runSql } from '../../../answering/index.ts';
import { CandorError } from '../../../errors.ts';
import type { Session } from '../../../session/index.ts';
import { canElicit, elicitApproval, elicitedApproval } from '../replies/elicitation.ts';
import type { McpParts } from '../replies/mcp-parts.ts';
import { answerToolCall, leanSchema, type ToolReply } from '../replies/tool-replies.ts';
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
      description: 'Run one reading SQL statement. Prefer ask.',
      inputSchema: leanSchema(INPUT),
      outputSchema: leanSchema(OUTPUT),
      annotations: LOCAL,
    },
    (input, context) =>
      answerToolCall(context, parts, () => approve(input, { server, context, parts }), 'sql'),
  );
}

interface RunCall {
  readonly server: McpServer;
  readonly context: ServerContext;
  readonly parts: McpParts;
}

/** An agent sends it, not its person: where queries wait for their approval, they are asked. */
async function approve(
  input: z.infer<typeof INPUT>,
  { server, context, parts }: RunCall,
): Promise<ToolReply | InputRequiredResult> {
  const session = await parts.mayRun(parts.session);
  if (parts.session.holdsQueries === true) {
    const said = elicitedApproval(context, input.sql);
    if (said === undefined && canElicit(server, context)) return elicitApproval(input.sql);
    if (said !== 'yes')
      throw new CandorError(
        'query.not-approved',
        said === 'no'
          ? 'The person did not let this query run.'
          : 'Nothing is run here before a person has approved it, and this client cannot ask them.',
      );
  }
  return run(input, { session, parts, signal: context.mcpReq.signal });
}

interface Approved {
  readonly session: Session;
  readonly parts: McpParts;
  readonly signal: AbortSignal;
}

async function run(
  { sql, limit = DEFAULT_ROWS }: z.infer<typeof INPUT>,
  { session: { database, config }, parts, signal }: Approved,
): Promise<ToolReply> {
  const limits = { ...config.limits, rows: Math.min(limit, config.limits.rows) };
  const outcome = await runSql(sql, { database, config: { ...config, limits } }, { signal });
  await parts.onSql(sql, outcome);
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
