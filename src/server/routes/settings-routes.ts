/** What this server is and does. */
import { createRoute, type OpenAPIHono, type z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import { VERSION } from '../../version.ts';
import { responses } from '../contract/failure-contract.ts';
import { plainModelName } from '../contract/plain-model-name.ts';
import { SETTINGS } from '../contract/settings-contract.ts';
import { OPENAI_MODEL } from '../openai/openai-routes.ts';
import type { ServerEnv } from '../server-parts.ts';

/** What is taken where a question names no mode. */
const MODE = 'fast';

const READ = createRoute({
  method: 'get',
  path: '/v1/settings',
  tags: ['server'],
  summary: 'What this server is and does: database, who answers, limits, how to connect',
  responses: responses(SETTINGS, 'Settings, without secrets; paths are told to admins alone'),
});

export function addSettingsRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(READ, async (context) => {
    const { people } = context.get('parts');
    const person = context.get('person');
    const { config, database, catalog } = context.get('session');
    const questions = await people?.questionsLeft(person);
    const settings: z.infer<typeof SETTINGS> = {
      version: VERSION,
      signIn: people !== undefined,
      ...(person.isAdmin && { project: { folder: config.root, database: database.url } }),
      database: {
        ...{ name: database.name, engine: database.dialect, tables: catalog.tables.length },
        ...(config.today !== undefined && { today: config.today }),
      },
      answering: answeringOf(config),
      ...(questions !== undefined && { questions }),
      connect: { mcp: '/mcp', openai: '/v1', model: OPENAI_MODEL },
    };
    return context.json(settings, 200);
  });
}

function answeringOf({
  model,
  minProbability,
  targetRisk,
  limits,
}: Config): z.infer<typeof SETTINGS>['answering'] {
  return {
    ...(model !== undefined && {
      model: { name: plainModelName(model.name), isPrivate: model.private, mode: MODE },
    }),
    minProbability,
    ...(targetRisk !== undefined && { targetRisk }),
    ...{ rows: limits.rows, timeoutMs: limits.timeoutMs },
  };
}
