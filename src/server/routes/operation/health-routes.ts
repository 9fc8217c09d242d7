/** Whether the server lives, and whether it can answer. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { CandorError } from '../../../errors.ts';
import { VERSION } from '../../../version.ts';
import { responses } from '../../contract/failure-contract.ts';
import { plainModelName } from '../../contract/plain-model-name.ts';
import type { ServerEnv, ServerParts } from '../../parts/server-parts.ts';

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
    const { chats, desk, runs } = context.get('parts');
    refuseEnding(context.get('parts'));
    const { config, catalog } = context.get('session');
    const { database } = desk.current;
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
