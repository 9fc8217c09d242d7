/** Product areas and clusters: what there is, and what people make of it. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { changeArea } from '../catalog/change-area.ts';
import { listAreas } from '../catalog/list-areas.ts';
import { AREA, AREA_CHANGE, AREA_LIST } from '../contract/area-contract.ts';
import { responses } from '../contract/failure-contract.ts';
import { needRight } from '../protect/need-right.ts';
import type { ServerEnv } from '../server-parts.ts';

const LIST = createRoute({
  method: 'get',
  path: '/v1/areas',
  tags: ['catalog'],
  summary: 'Product areas with their tables, and clusters of tables that the same people read',
  request: {
    query: z.object({
      from: z.coerce.number().int().min(0).default(0).openapi({ description: 'The first cluster.' }),
      limit: z.coerce.number().int().min(1).max(200).default(50).openapi({ description: 'Of clusters.' }),
    }),
  },
  responses: responses(AREA_LIST, 'Areas, and clusters, the most used first'),
});

const CHANGE = createRoute({
  method: 'put',
  path: '/v1/areas/{id}',
  tags: ['catalog'],
  summary: 'Make an area, as of a cluster, or change it; written to knowledge/areas.yml',
  request: {
    params: z.object({ id: z.string().min(1).max(200) }),
    body: { required: true, content: { 'application/json': { schema: AREA_CHANGE } } },
  },
  responses: responses(AREA, 'As it is written'),
});

export function addAreaRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(LIST, async (context) => {
    const mayEdit = context.get('person').rights.editKnowledge;
    const query = { ...context.req.valid('query'), mayEdit };
    return context.json(await listAreas(query, context.get('session')), 200);
  });
  app.openapi(CHANGE, async (context) => {
    await needRight(context, 'editKnowledge');
    const { id } = context.req.valid('param');
    const { people, desk } = context.get('parts');
    const session = context.get('session');
    const area = await changeArea(id, context.req.valid('json'), { session, desk });
    await people?.audit(context.get('person').name, 'area changed', { area: id });
    return context.json(area, 200);
  });
}
