import { z } from 'zod';
import { CandorError } from '../../../errors.ts';
import { linkingOf, linkQuestion } from '../../../link-question.ts';
import type { ToolBench } from '../mcp-desk.ts';
import { orFailure, toolResult } from '../tool-result.ts';

const OUTPUT = z.object({
  tables: z.array(z.object({ id: z.string(), because: z.string(), columns: z.array(z.string()) })),
});
const MOST_TABLES = 30;

/** `link_schema`: the part of the schema a question needs. */
export function addLinkTool({ server, desk }: ToolBench): void {
  server.registerTool(
    'link_schema',
    {
      description: 'Tables and columns that a question needs, with reasons; to write SQL yourself.',
      inputSchema: z.object({ question: z.string().max(2_000) }),
      outputSchema: OUTPUT,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ question }, { mcpReq: { signal } }) =>
      orFailure(desk, async () => {
        const { linked, question: read } = await linkQuestion(question, await linkingOf(desk.session), {
          signal,
        });
        if (linked === null) throw new CandorError('question.empty', `Nothing to link: ${read.because}`);
        const becauseOf = new Map(
          linked.items.map(({ id, because }) => [id, because.map(({ text }) => text)]),
        );
        const tables = linked.catalog.tables.slice(0, MOST_TABLES).map(({ id, columns }) => ({
          id,
          because: (becauseOf.get(id) ?? []).slice(0, 3).join('; '),
          columns: columns.map((column) => `${column.id.slice(id.length + 1)} ${column.type}`),
        }));
        return toolResult({ tables } satisfies z.infer<typeof OUTPUT>);
      }),
  );
}
