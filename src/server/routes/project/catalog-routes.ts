/** The tables of the database, as far as the person may see them. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { describeTable } from '../../catalog/describe-table.ts';
import { listTables } from '../../catalog/list-tables.ts';
import { TABLE, TABLE_LIST } from '../../contract/catalog-contract.ts';
import { responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';

const LIST = createRoute({
  method: 'get',
  path: '/v1/catalog/tables',
  tags: ['catalog'],
  summary: 'Tables, the most read first',
  request: {
    query: z.object({
      text: z.string().max(200).optional().openapi({ description: 'Words that name or description hold.' }),
      area: z.string().max(200).optional().openapi({ description: 'Id of a product area.' }),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      after: z.string().max(300).optional().openapi({ description: '`next` of the page before.' }),
    }),
  },
  responses: responses(TABLE_LIST, 'A page of tables'),
});

const ONE = createRoute({
  method: 'get',
  path: '/v1/catalog/tables/{id}',
  tags: ['catalog'],
  summary: 'One table: columns with profiles, keys, joins with who says so, notes, usage, figures',
  request: {
    params: z.object({ id: z.string().max(300) }),
    query: z.object({
      from: z.coerce.number().int().min(0).default(0).openapi({ description: 'The first column.' }),
      limit: z.coerce.number().int().min(1).max(500).default(200).openapi({ description: 'Of columns.' }),
    }),
  },
  responses: responses(TABLE, 'All that is known of it'),
});

export function addCatalogRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(LIST, async (context) =>
    context.json(await listTables(context.req.valid('query'), context.get('session')), 200),
  );
  app.openapi(ONE, async (context) => {
    const { showSql } = context.get('person').rights;
    const options = { ...context.req.valid('query'), showSql };
    const { id } = context.req.valid('param');
    return context.json(await describeTable(id, context.get('session'), options), 200);
  });
}
