import { z } from 'zod';
import type { Retrieved } from '../../../knowledge/index.ts';
import type { ToolBench } from '../mcp-desk.ts';
import { orFailure, toolResult } from '../tool-result.ts';

const HIT = z.object({ kind: z.string(), name: z.string(), text: z.string() });
const OUTPUT = z.object({ hits: z.array(HIT) });
type Hit = z.infer<typeof HIT>;
/** Of one kind. */
const MOST_HITS = 8;

/** `search_catalog`: what is known about words. */
export function addSearchTool({ server, desk }: ToolBench): void {
  server.registerTool(
    'search_catalog',
    {
      description:
        'Find tables, columns, metrics, dimensions, stored values, notes and verified queries by words.',
      inputSchema: z.object({ text: z.string().max(2_000) }),
      outputSchema: OUTPUT,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ text }, { mcpReq: { signal } }) =>
      orFailure(desk, async () => {
        const base = await desk.session.base.open();
        const found = await base.retrieve({ question: text, signal });
        return toolResult({ hits: hitsOf(found) } satisfies z.infer<typeof OUTPUT>);
      }),
  );
}

function hitsOf(found: Retrieved): Hit[] {
  const listed = <Item>(
    items: readonly { readonly item: Item; readonly because: readonly string[] }[],
    hit: (item: Item, because: string) => Hit,
  ): Hit[] => items.slice(0, MOST_HITS).map(({ item, because }) => hit(item, because.join('; ')));
  return [
    ...listed(found.tables, ({ tableId }, text) => ({ kind: 'table', name: tableId, text })),
    ...listed(found.columns, ({ columnId }, text) => ({ kind: 'column', name: columnId, text })),
    ...listed(found.metrics, ({ name, description }, text) => ({
      kind: 'metric',
      name,
      text: description ?? text,
    })),
    ...listed(found.dimensions, ({ name }, text) => ({ kind: 'dimension', name, text })),
    ...listed(found.values, ({ columnId, values }) => ({
      kind: 'value',
      name: columnId,
      text: values.map(({ value }) => value).join(', '),
    })),
    ...listed(found.notes, ({ text, place }) => ({ kind: 'note', name: place, text })),
    ...listed(found.examples, ({ pair }) => ({
      kind: 'verified query',
      name: pair.question,
      text: pair.sql,
    })),
  ];
}
