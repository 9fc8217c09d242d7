/** What this server is and does. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Config } from '../../../config/index.ts';
import { VERSION } from '../../../version.ts';
import { responses } from '../../contract/failure-contract.ts';
import { plainModelName } from '../../contract/plain-model-name.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { OPENAI_MODEL } from '../conversation/openai-routes.ts';

/** What is taken where a question names no mode. */
const MODE = 'fast';

/** What a server is and does, as it may be told to whoever uses it: no secret, and paths to admins alone. */
export const SETTINGS = z
  .strictObject({
    version: z.string(),
    signIn: z.boolean().openapi({ description: 'Whether people sign in here, and programs need a key.' }),
    project: z
      .strictObject({ folder: z.string(), database: z.string() })
      .optional()
      .openapi({ description: 'Where it lies, for admins; the database without its secrets.' }),
    database: z.strictObject({
      name: z.string(),
      engine: z.enum(['sqlite', 'duckdb', 'postgres', 'mysql', 'trino', 'snowflake', 'bigquery']),
      tables: z.int().openapi({ description: 'Those that you see.' }),
      today: z
        .string()
        .optional()
        .openapi({ description: 'The day that "today" means, where the project pins it.' }),
    }),
    answering: z.strictObject({
      model: z
        .strictObject({
          name: z.string(),
          isPrivate: z.boolean().openapi({ description: 'No cell of the database is told to it.' }),
          mode: z
            .enum(['fast', 'careful', 'no-execution'])
            .openapi({ description: 'Where a question names none.' }),
        })
        .optional()
        .openapi({ description: 'Absent: the built-in engine answers.' }),
      minProbability: z.number().openapi({ description: 'Below it nothing is answered.' }),
      targetRisk: z
        .number()
        .optional()
        .openapi({ description: 'Share of the answers given that may be wrong.' }),
      rows: z.int().openapi({ description: 'Of one result, at most.' }),
      timeoutMs: z.int().openapi({ description: 'Of one query.' }),
    }),
    questions: z
      .strictObject({ perHour: z.int(), left: z.int() })
      .optional()
      .openapi({ description: 'Absent: as many as you like.' }),
    connect: z.strictObject({
      mcp: z.string().openapi({ description: 'Path of the tools for agents.' }),
      openai: z.string().openapi({ description: 'Base path for clients of the API of OpenAI.' }),
      model: z.string().openapi({ description: 'What those clients name as the model.' }),
    }),
  })
  .openapi('Settings');

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
