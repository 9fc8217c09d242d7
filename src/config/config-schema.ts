/** What `candor.yml` may hold and what holds when it is silent. */
import { z } from 'zod';

export const CONFIG_FILE = 'candor.yml';

/** What holds when `candor.yml` is silent. */
export const CONFIG_DEFAULTS = {
  limits: { rows: 1000, bytes: 10_000_000, timeoutMs: 30_000 },
  planCaps: {},
  profile: { pii: 'withhold', keep: [], skip: [] },
  minProbability: 0.5,
} as const;

const COLUMN_NAME = z.string().regex(/\../, 'name it as `table.column`');

/** The keys of `candor.yml`; descriptions become docs/reference/config.md. */
export const CONFIG_SCHEMA = z.strictObject({
  database: z
    .string()
    .min(1)
    .describe(
      'Database URL (`sqlite:path`, `duckdb:path`, `postgres://…`, `mysql://…`, `trino://…`, `snowflake://…`, `bigquery://…`), or a name from `connections`. A relative path starts at this file. Variables of the environment may stand in it, as in every text of this file.',
    ),
  connections: z
    .record(z.string().regex(/^[A-Za-z][\w-]*$/, 'use letters, digits, - and _'), z.string().min(1))
    .optional()
    .describe('Database URLs by name, for `database` here and `--database` on the command line.'),
  limits: z
    .strictObject({
      rows: z.int().min(1).max(1_000_000).optional().describe('Rows kept of a result at most.'),
      bytes: z.int().min(1024).optional().describe('Bytes of all kept cells at most.'),
      timeoutMs: z
        .int()
        .min(1)
        .max(3_600_000)
        .optional()
        .describe('Milliseconds after which a query is stopped, by the server too where it can.'),
      cellSize: z
        .int()
        .min(16)
        .optional()
        .describe('Characters of a text, or bytes of a blob, kept of one cell; the rest is cut off.'),
      maxPlanRows: z
        .number()
        .positive()
        .optional()
        .describe('A query that the engine expects to yield more rows is refused.'),
      maxPlanCost: z
        .number()
        .positive()
        .optional()
        .describe('A query that the engine expects to cost more, in its own unit, is refused.'),
      maxPlanBytes: z
        .number()
        .positive()
        .optional()
        .describe(
          'A query that the engine expects to read more bytes is refused (Trino, Snowflake, BigQuery).',
        ),
    })
    .optional()
    .describe('Bounds of every query.'),
  profile: z
    .strictObject({
      maxScanRows: z
        .int()
        .min(1)
        .optional()
        .describe('Rows that one onboarding reads at most in all; the largest tables are sampled first.'),
      pii: z
        .enum(['withhold', 'keep'])
        .optional()
        .describe('Whether values of columns that look personal (e-mail, phone, …) are left out.'),
      keep: z
        .array(COLUMN_NAME)
        .optional()
        .describe('Columns whose values are kept although they look personal.'),
      skip: z.array(COLUMN_NAME).optional().describe('Columns that are not read at all.'),
    })
    .optional()
    .describe('How `candor onboard` reads the data.'),
  session: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Values that row filters and masks name as `:name`.'),
  minProbability: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Candor abstains when it thinks an answer is right with less than this probability.'),
  today: z.iso
    .date()
    .optional()
    .describe(
      'The day that "today" and "this year" refer to, YYYY-MM-DD, for data that has stopped growing.',
    ),
});
