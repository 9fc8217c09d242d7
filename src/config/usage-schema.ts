/** The section `usage` of `candor.yml`. */
import { z } from 'zod';

/** Names as the engine spells them; what is absent is not in the log. */
const USAGE_COLUMNS = z.strictObject({
  user: z.string().min(1).describe('Who ran it.'),
  time: z.string().min(1).describe('When, a timestamp.'),
  sql: z.string().min(1).exactOptional().describe('The statement, in a log of `statements`.'),
  table: z.string().min(1).exactOptional().describe('The table that was read, in a log of `tables`.'),
  success: z.string().min(1).exactOptional().describe('True where the run ended well; without it all did.'),
  error: z.string().min(1).exactOptional().describe('NULL where the run ended well.'),
  database: z.string().min(1).exactOptional().describe('The database of the session.'),
  schema: z.string().min(1).exactOptional().describe('Where names without a schema are looked up.'),
});

const USAGE_LOG = z.strictObject({
  name: z.string().min(1).describe('What is known of its days is kept under this name.'),
  connection: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'Database URL, or a name from `connections`, of the engine that holds the log (default: `database`).',
    ),
  kind: z
    .enum(['statements', 'tables', 'snowflake-access-history', 'snowflake-query-history', 'bigquery-jobs'])
    .describe('What its rows are.'),
  table: z
    .array(z.string().min(1))
    .min(1)
    .describe('Names of the table or view, outermost first: `[ops, query_log]`.'),
  columns: USAGE_COLUMNS.exactOptional().describe(
    'Of `statements` and `tables`; the other kinds know theirs.',
  ),
});

export const USAGE_SCHEMA = z.strictObject({
  logs: z
    .array(USAGE_LOG)
    .optional()
    .describe('Logs that are tables or views of an engine, for `candor usage ingest --logs`.'),
});
