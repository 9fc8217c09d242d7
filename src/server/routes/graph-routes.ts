/** The knowledge graph around one thing. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { graphAround } from '../catalog/graph-around.ts';
import { responses } from '../contract/failure-contract.ts';
import { GRAPH } from '../contract/graph-contract.ts';
import type { ServerEnv } from '../server-parts.ts';

const AROUND = createRoute({
  method: 'get',
  path: '/v1/graph',
  tags: ['catalog'],
  summary: 'What is around a table, figure, area, note: joins, definitions, verified pairs, clusters',
  request: {
    query: z.object({
      around: z.string().min(1).max(300).openapi({ example: 'table:orders' }),
      depth: z.coerce.number().int().min(1).max(2).default(1),
      limit: z.coerce.number().int().min(1).max(200).default(60),
    }),
  },
  responses: responses(GRAPH, 'Things and the links between them, the nearest first'),
});

export function addGraphRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(AROUND, async (context) =>
    context.json(await graphAround(context.req.valid('query'), context.get('session')), 200),
  );
}
