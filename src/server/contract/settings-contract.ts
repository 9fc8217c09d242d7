/** What a server is and does, as it may be told to whoever uses it: no secret, and paths to admins alone. */
import { z } from '@hono/zod-openapi';

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
