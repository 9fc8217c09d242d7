import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Session } from '../../../session/index.ts';
import { searchKnown } from '../../search/search-known.ts';
import type { McpParts } from '../replies/mcp-parts.ts';
import { answerToolCall, dataBlock, leanSchema, type ToolReply } from '../replies/tool-replies.ts';
import { LOCAL } from './annotations.ts';
import { UNTRUSTED } from './answer-reply.ts';

const KINDS = ['tables', 'columns', 'values', 'notes', 'examples', 'metrics'] as const;
const SINGULAR = {
  tables: 'table',
  columns: 'column',
  values: 'value',
  notes: 'note',
  examples: 'example',
  metrics: 'metric',
} as const;

const MOST_HITS = 100;
const DEFAULT_HITS = 10;

const INPUT = z.object({
  words: z.string().min(1).max(2_000),
  kinds: z.array(z.enum(KINDS)).min(1).optional(),
  limit: z.int().min(1).max(MOST_HITS).optional().describe('Of each kind'),
});
const HIT = z.object({ kind: z.string(), id: z.string(), text: z.string().optional(), because: z.string() });
const OUTPUT = z.object({ hits: z.array(HIT), cut: z.array(z.string()), ...UNTRUSTED });
type Hit = z.infer<typeof HIT>;

/** `search_catalog`: what is known by these words: tables, columns, stored values, notes, verified pairs, metrics. */
export function addSearchCatalogTool(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'search_catalog',
    {
      description: 'Find tables, columns, values, notes, pairs and metrics by words.',
      inputSchema: leanSchema(INPUT),
      outputSchema: leanSchema(OUTPUT),
      annotations: LOCAL,
    },
    (input, context) =>
      answerToolCall(context, parts, () => searchAll(input, parts.session, context.mcpReq.signal)),
  );
}

async function searchAll(
  { words, kinds = [...KINDS], limit = DEFAULT_HITS }: z.infer<typeof INPUT>,
  session: Session,
  signal: AbortSignal,
): Promise<ToolReply> {
  const request = { text: words, kinds: kinds.map((kind) => SINGULAR[kind]), limit, signal };
  const { hits: found, cut } = await searchKnown(request, session);
  const hits: Hit[] = found.map(({ kind, id, text, sql, because }) => ({
    ...{ kind: `${kind}s`, id, because },
    ...(text !== undefined && { text: sql === undefined ? text : `${text} → ${sql}` }),
  }));
  const lines = hits.map(({ kind, id, text, because }) => [
    kind,
    id,
    ...(text === undefined ? [] : [text]),
    because,
  ]);
  const text = `${hits.length} found${cut.map((line) => `; ${line}`).join('')}\n${dataBlock(lines)}`;
  return { fields: { hits, cut: [...cut], untrusted: ['hits'] }, text };
}
