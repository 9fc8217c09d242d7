/** Product areas and clusters: what there is, and what people make of it. */

import { join } from 'node:path';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { tableIds } from '../../../catalog/index.ts';
import { CandorError } from '../../../errors.ts';
import { AREAS_FILE, setArea } from '../../../knowledge/authored/folder/index.ts';
import { catalogNames, type ProductArea } from '../../../knowledge/authored/index.ts';
import { nearestNames } from '../../../language/index.ts';
import type { Session } from '../../../session/index.ts';
import { readIfThere } from '../../../store/index.ts';
import { listAreas, showArea } from '../../catalog/list-areas.ts';
import { isHiddenName, readAreasNow } from '../../catalog/list-tables.ts';
import { AREA, AREA_CHANGE, AREA_LIST, type Area, type AreaChange } from '../../contract/area-contract.ts';
import { responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { authorize } from '../../protect/authorize.ts';
import type { ProjectSessions } from '../../sessions/project-sessions.ts';

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
    await authorize(context, 'editKnowledge');
    const { id } = context.req.valid('param');
    const { people, projectSessions } = context.get('parts');
    const session = context.get('session');
    const area = await changeArea(id, context.req.valid('json'), { session, projectSessions });
    await people?.audit(context.get('person').name, 'area changed', { area: id });
    return context.json(area, 200);
  });
}

const NEW = { members: [], includeTables: [], excludeTables: [] } as const;

/**
 * Writes what a person says of an area to `knowledge/areas.yml`; what is not said stays. Tables that the person may not see
 * stay in the lists they are in. Throws `catalog.unknown-name`, `knowledge.refused`, `knowledge.invalid`.
 */
async function changeArea(
  id: string,
  change: AreaChange,
  { session, projectSessions }: { readonly session: Session; readonly projectSessions: ProjectSessions },
): Promise<Area> {
  const { knowledgeDirectory } = session.config;
  const path = join(knowledgeDirectory, AREAS_FILE);
  const area = await projectSessions.change(async () => {
    const before = await readIfThere(path);
    const result = await areaWith(id, change, session);
    await setArea(knowledgeDirectory, result, catalogNames(session.catalog));
    return { result, written: { path, before } };
  });
  return showArea(area, session, { base: await session.base.open(), mayEdit: true });
}

async function areaWith(id: string, change: AreaChange, session: Session): Promise<ProductArea> {
  const { hiddenTables, catalog } = session;
  const known = (await readAreasNow(session)).find((area) => area.id === id);
  const before: ProductArea = known ?? { id, name: id, ...NEW };
  const visible = tableIds(catalog);
  const isUnseen = (table: string): boolean => !visible.has(table) && isHiddenName(table, hiddenTables);
  const withHidden = (given: readonly string[] | undefined, own: readonly string[]): readonly string[] => {
    if (given === undefined) return own;
    return [...new Set([...given.map((name) => idOf(name, own, session)), ...own.filter(isUnseen)])];
  };
  const { instructions: _, ...rest } = before;
  const instructions = change.instructions ?? before.instructions ?? '';
  return {
    ...rest,
    name: change.name ?? before.name,
    members: [...new Set(change.members ?? before.members)],
    includeTables: withHidden(change.includeTables, before.includeTables),
    excludeTables: withHidden(change.excludeTables, before.excludeTables),
    ...(instructions.trim() !== '' && { instructions }),
  };
}

/** A table that is gone may stay where it stands already. */
function idOf(written: string, own: readonly string[], { catalog, hiddenTables }: Session): string {
  const id = catalogNames(catalog).tableOf(written);
  if (id !== undefined) return id;
  if (own.includes(written) && !isHiddenName(written, hiddenTables)) return written;
  const ids = catalog.tables.map((table) => table.id);
  const near = nearestNames(written.toLowerCase(), ids, 3);
  const hint = near.length === 0 ? '' : `; near it: ${near.join(', ')}`;
  throw new CandorError('catalog.unknown-name', `there is no table ${written}${hint}`);
}
