/** Whether the server lives, and whether it can answer. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { CandorError } from '../../../errors.ts';
import { VERSION } from '../../../version.ts';
import { responses } from '../../contract/failure-contract.ts';
import { plainModelName } from '../../contract/plain-model-name.ts';
import type { ServerEnv, ServerParts } from '../../parts/server-parts.ts';
import { pathOfWorkspace, type Workspace } from '../../sessions/project-sessions.ts';

const HEALTH = createRoute({
  method: 'get',
  path: '/health',
  tags: ['server'],
  summary: 'The process serves requests',
  responses: responses(z.strictObject({ status: z.literal('ok'), version: z.string() }), 'It does'),
});

const READY = createRoute({
  method: 'get',
  path: '/ready',
  tags: ['server'],
  summary: 'The database and the state of the server can be read',
  responses: responses(
    z.strictObject({ status: z.literal('ok'), runs: z.int(), tables: z.int(), model: z.string().nullable() }),
    'Questions can be answered',
  ),
});

export function addHealthRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(HEALTH, (context) => {
    refuseEnding(context.get('parts'));
    return context.json({ status: 'ok' as const, version: VERSION }, 200);
  });
  app.openapi(READY, async (context) => {
    const { chats, projectSessions, runs } = context.get('parts');
    refuseEnding(context.get('parts'));
    const { config, catalog } = context.get('session');
    const { database } = projectSessions.current;
    await chats.check();
    await database.query('SELECT 1', config.limits, context.req.raw.signal);
    const model = config.model === undefined ? null : plainModelName(config.model.name);
    const state = { status: 'ok' as const, runs: runs.running, tables: catalog.tables.length, model };
    return context.json(state, 200);
  });
}

/** Proxies, which do not sign in, shall move on: both routes tell them. */
function refuseEnding({ runs, isEnding }: ServerParts): void {
  if (runs.isClosing || isEnding()) throw new CandorError('server.closing', 'The server is closing.');
}

/** The projects that one server serves. */
const WORKSPACES = z
  .strictObject({
    workspaces: z.array(
      z.strictObject({
        name: z.string(),
        path: z.string().openapi({ description: 'Below it lie its page and its routes.' }),
        isCurrent: z.boolean(),
      }),
    ),
  })
  .openapi('Workspaces');

const LIST = createRoute({
  method: 'get',
  path: '/v1/workspaces',
  tags: ['server'],
  summary: 'The projects that this server serves, as far as you are in a group of theirs',
  responses: responses(WORKSPACES, 'Workspaces; the one that was asked is among them'),
});

export function addWorkspaceRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(LIST, (context) => {
    const { workspaces, workspace: current, people } = context.get('parts');
    const { isAdmin, groups } = context.get('person');
    const isIn = ({ session }: Workspace): boolean =>
      people === undefined ||
      isAdmin ||
      groups.some((group) => Object.hasOwn(session.config.server.groups, group));
    const listed = workspaces.filter((each) => each.name === current || isIn(each));
    return context.json({ workspaces: listed.map((each) => lineOf(each, current)) }, 200);
  });
}

/** The project that the server was started in has no name of its own: it is called as its database is. */
function lineOf({ name, session }: Workspace, current: ServerParts['workspace']) {
  return {
    name: name === '' ? session.database.name : name,
    path: pathOfWorkspace(name),
    isCurrent: name === current,
  };
}
