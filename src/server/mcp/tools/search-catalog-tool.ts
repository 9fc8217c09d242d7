import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { findValues, type Retrieved } from '../../../knowledge/index.ts';
import type { Session } from '../../../session.ts';
import { answerToolCall, type ToolReply } from '../answer-tool-call.ts';
import { dataBlock } from '../data-block.ts';
import { leanSchema } from '../lean-schema.ts';
import type { McpParts } from '../mcp-parts.ts';
import { LOCAL } from './annotations.ts';
import { UNTRUSTED } from './answer-reply.ts';

const KINDS = ['tables', 'columns', 'values', 'notes', 'examples', 'metrics'] as const;
type Kind = (typeof KINDS)[number];

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
      description: 'Find tables, columns, stored values, notes, verified pairs and metrics by words.',
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
  const base = await session.base.open();
  const { scope, model } = base;
  const values = kinds.includes('values')
    ? await findValues([words], session.values, { scope: scope.tables, embedding: model, signal })
    : undefined;
  const found = kinds.some((kind) => kind !== 'values')
    ? await base.retrieve({ question: words, signal })
    : undefined;
  const lists = kinds.map((kind) => {
    const all =
      kind === 'values' ? valueHits(values?.values ?? []) : found === undefined ? [] : hitsOf(kind, found);
    return { kind, all };
  });
  const hits: Hit[] = lists.flatMap(({ all }) => all.slice(0, limit));
  const cut = unique([
    ...lists.flatMap(({ kind, all }) =>
      all.length > limit ? [`${kind}: ${limit} of ${all.length} shown`] : [],
    ),
    ...[...(values?.truncations ?? []), ...(found?.truncations ?? [])].map(
      ({ what, shown, total }) => `${what}: ${shown} of ${total} looked at`,
    ),
    ...(values?.warnings ?? []),
    ...(found?.warnings ?? []),
  ]);
  const lines = hits.map(({ kind, id, text, because }) => [
    kind,
    id,
    ...(text === undefined ? [] : [text]),
    because,
  ]);
  const text = `${hits.length} found${cut.map((line) => `; ${line}`).join('')}\n${dataBlock(lines)}`;
  return { fields: { hits, cut, untrusted: ['hits'] }, text };
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)];
}

function valueHits(values: Retrieved['values']): Hit[] {
  return values.flatMap(({ item: { columnId, values: found } }) =>
    found.map(({ value, match, ratio }) => ({
      ...{ kind: 'values', id: columnId, text: value },
      because: `${match}, ${ratio.toFixed(2)} alike`,
    })),
  );
}

function hitsOf(kind: Exclude<Kind, 'values'>, found: Retrieved): Hit[] {
  switch (kind) {
    case 'tables':
      // A small schema is found whole; what nothing speaks for is not a hit.
      return found.tables
        .filter(({ because }) => because.length > 0)
        .map(({ item, because }) => ({
          ...{ kind, id: item.tableId, because: because.join('; ') },
          ...(item.isDeprecated && { text: 'deprecated' }),
          ...(item.isCertified && { text: 'certified' }),
        }));
    case 'columns':
      return found.columns.map(({ item, because }) => ({
        kind,
        id: item.columnId,
        because: because.join('; '),
      }));
    case 'notes':
      return found.notes.map(({ item, because }) => ({
        ...{ kind, id: item.place, text: item.text, because: because.join('; ') },
      }));
    case 'examples':
      return found.examples.map(({ item: { pair }, because }) => ({
        ...{ kind, id: pair.file, text: `${pair.question} → ${pair.sql}`, because: because.join('; ') },
      }));
    case 'metrics':
      return found.metrics.map(({ item: { name, description }, because }) => ({
        ...{ kind, id: name, because: because.join('; ') },
        ...(description !== undefined && { text: description }),
      }));
  }
}
