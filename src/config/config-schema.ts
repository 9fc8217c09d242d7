/** What `candor.yml` may hold and what holds when it is silent. */
import { z } from 'zod';
import { JOBS_SCHEMA, SERVER_SCHEMA } from './server-schema.ts';

export const CONFIG_FILE = 'candor.yml';

/** What holds when `candor.yml` is silent. */
export const CONFIG_DEFAULTS = {
  limits: { rows: 1000, bytes: 10_000_000, timeoutMs: 30_000 },
  planCaps: {},
  profile: { pii: 'withhold', keep: [], skip: [] },
  search: { embedding: 'built-in' },
  values: { include: [], exclude: [] },
  /** A careful question with three drafts, research and revisions takes some forty calls at worst. */
  model: { calls: 60, tokens: 400_000, timeoutMs: 120_000, requestsAtOnce: 4 },
  minProbability: 0.5,
} as const;

const COLUMN_NAME = z.string().regex(/\../, 'name it as `table.column`');
const TABLE_PATTERN = z
  .string()
  .regex(/^[^.]+(?:\.[^.]+)*$/, 'name it as `hive`, `hive.sales` or `hive.mart_*`');

/** Also what `--model` takes. */
export const MODEL_NAME = z
  .string()
  .regex(
    /^(?:none|(?:openai|anthropic|google|gguf):.*\S.*)$/s,
    'expected openai:<model>, anthropic:<model>, google:<model>, gguf:<file> or none',
  );

// The section `embedded` of `candor.yml`.

const MIB = 1024 * 1024;

const EMBEDDED_SCHEMA = z.strictObject({
  processes: z
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'Processes that read one file at the same time, so that one long query does not stop everybody (default: one more than cores, at most 4). They start when they are needed.',
    ),
  memoryBytes: z
    .int()
    .min(256 * MIB)
    .optional()
    .describe(
      'Bytes of memory that one of them may take; a query that needs more is ended with `database.out-of-memory` (default: half of the memory of the machine or container divided by `processes`, from 256 MiB to 2 GiB).',
    ),
  temporaryBytes: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Bytes that one query may put into temporary files when memory is not enough: of DuckDB in a private folder below the temporary folder of the machine, of SQLite in files without a name (default: 0, no temporary files).',
    ),
  threads: z
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe('Threads of one query of DuckDB (default: half of the cores).'),
});

// The `guard` section of `candor.yml`.

const OWN_NAMES = z.array(z.string().trim().min(1));

const GUARD_SCHEMA = z
  .strictObject({
    allow: z
      .strictObject({
        functions: OWN_NAMES.optional().describe(
          'Functions, macros and aggregates that the database has defined under a name of the engine: `unaccent`.',
        ),
        operators: OWN_NAMES.optional().describe('Operators, by their signs: `"==="`.'),
        types: OWN_NAMES.optional().describe(
          'Types that run code when a value is made of a text, such as domains with a check: `postal_code`, `app.email`.',
        ),
        casts: OWN_NAMES.optional().describe('Casts by a function: `money_amount as numeric`.'),
        collations: OWN_NAMES.optional().describe('Collations: `case_insensitive`.'),
      })
      .optional()
      .describe(
        'Code of the database itself that statements may run although it stands behind, or beside, a name of the engine. Read what it does first: it runs with whatever rights it was given, past row filters and masks.',
      ),
  })
  .optional()
  .describe('What the guard lets pass beyond its lists, see docs/guides/guard.md.');

// The section `usage` of `candor.yml`.

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

const USAGE_SCHEMA = z.strictObject({
  logs: z
    .array(USAGE_LOG)
    .optional()
    .describe('Logs that are tables or views of an engine, for `candor usage ingest --logs`.'),
});

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
  tables: z
    .strictObject({
      include: z
        .array(TABLE_PATTERN)
        .min(1)
        .optional()
        .describe(
          'Catalogs, schemas and tables that are read, as names are written in the catalog: `hive`, `hive.sales`, `hive.mart_*.orders`; absent: all. Trino and Snowflake are not asked about anything else.',
        ),
      exclude: z
        .array(TABLE_PATTERN)
        .optional()
        .describe('What is not read, though included: `hive.scratch`, `*.*.tmp_*`.'),
    })
    .optional()
    .describe('Which part of the database there is for this project.'),
  impersonate: z
    .boolean()
    .optional()
    .describe(
      'Queries run in the engine as the person who asks and with their rights there: `engineUser` and `engineRole` of `session`, else who is signed in, else `user`. Trino; BigQuery by delegation; Snowflake by roles alone. See docs/guides/databases.md.',
    ),
  guard: GUARD_SCHEMA,
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
      scanBytes: z
        .int()
        .min(1)
        .optional()
        .describe(
          'Bytes that a query may read from storage; the engine stops it there (Trino) or refuses it (BigQuery). Other engines cannot hold this, and a project that asks for it does not open.',
        ),
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
  embedded: EMBEDDED_SCHEMA.optional().describe(
    'What reading SQLite and DuckDB files may take of the machine.',
  ),
  profile: z
    .strictObject({
      maxScanRows: z
        .int()
        .min(1)
        .optional()
        .describe('Rows that one onboarding reads at most in all; the largest tables are sampled first.'),
      maxScanBytes: z
        .int()
        .min(1)
        .optional()
        .describe('The same in bytes, by widths that are assumed of the types.'),
      timeoutMs: z
        .int()
        .min(1000)
        .max(3_600_000)
        .optional()
        .describe(
          'Milliseconds of one statement of it (default: 300000); a table that takes longer has no profile.',
        ),
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
  values: z
    .strictObject({
      include: z
        .array(COLUMN_NAME)
        .optional()
        .describe('Columns whose values are found by likeness although the rules leave them out.'),
      exclude: z
        .array(COLUMN_NAME)
        .optional()
        .describe('Columns whose values are not found by likeness; the same value still is.'),
    })
    .optional()
    .describe('Which columns the value index holds.'),
  search: z
    .strictObject({
      embedding: z
        .string()
        .regex(
          /^(?:none|built-in|hashed|openai:.+|onnx:.+)$/,
          'expected none, built-in, hashed, openai:<model> or onnx:<folder or hub id>',
        )
        .optional()
        .describe(
          'What turns text into vectors: `built-in` (English, inside the package), `hashed` (letters and words, any language), `openai:<model>` (an OpenAI-compatible endpoint, see `url`), `onnx:<folder or hub id>` (a local sentence encoder) or `none`.',
        ),
      url: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe('Base URL of an OpenAI-compatible endpoint, such as `http://localhost:11434/v1`.'),
      key: z.string().min(1).optional().describe('Its API key, best as a variable of the environment.'),
      store: z
        .string()
        .regex(/^postgres(?:ql)?:\/\//, 'expected postgres://…')
        .optional()
        .describe(
          'PostgreSQL that holds the search index for several people; without it the index is a file in `.candor/`.',
        ),
      workspace: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Whose documents they are on that server; projects with other notes or policies need another (default: the URL of the database).',
        ),
    })
    .optional()
    .describe('How knowledge is searched.'),
  model: z
    .strictObject({
      name: MODEL_NAME.describe(
        'Who answers in place of the built-in engine: `openai:<model>` (any OpenAI-compatible service, see `url`), `anthropic:<model>`, `google:<model>`, `gguf:<file>` (a local model in this process) or `none`.',
      ),
      url: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe('Base URL of the service, such as `http://localhost:11434/v1`; absent: the maker’s own.'),
      key: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Its API key, best as a variable. Without it and without `url`: OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY of the environment.',
        ),
      reflector: MODEL_NAME.optional().describe(
        'A stronger model of the same service that judges what research found.',
      ),
      private: z
        .boolean()
        .optional()
        .describe('No cell of the database is told to the model: names, types and redacted examples only.'),
      contextWindow: z.int().min(512).optional().describe('Tokens of a request and its reply.'),
      json: z
        .enum(['schema', 'object', 'none'])
        .optional()
        .describe('How far the model can be held to JSON: to a schema, to JSON at all, or only by asking.'),
      contract: z
        .enum(['full', 'short'])
        .optional()
        .describe(
          'What it is asked for: `full`, an outcome with its reasons, or `short`, a query alone or why there is none. Default: `short` for models of up to nine billion weights by their name.',
        ),
      refuses: z
        .array(z.enum(['temperature', 'top_p', 'top_k', 'seed', 'logprobs', 'max_tokens', 'system']))
        .optional()
        .describe(
          'What the service does not take and is not sent: settings of a request, or `system` for the role of a message. What is missing here is found out by its refusals.',
        ),
      price: z
        .strictObject({
          prompt: z.number().min(0).describe('US dollars per million tokens of prompts.'),
          completion: z.number().min(0).describe('US dollars per million tokens of replies.'),
          cached: z
            .number()
            .min(0)
            .optional()
            .describe('US dollars per million tokens of prompts that the service had in its cache.'),
        })
        .optional()
        .describe('What it costs, where Candor does not know or knows it otherwise.'),
      calls: z.int().min(1).optional().describe('Calls that one question may make.'),
      tokens: z.int().min(1).optional().describe('Tokens of prompts and replies that one question may use.'),
      timeoutMs: z.int().min(1).max(3_600_000).optional().describe('Milliseconds of one try of one call.'),
      requestsAtOnce: z.int().min(1).max(64).optional().describe('Calls that run at the same time.'),
      cache: z
        .boolean()
        .optional()
        .describe('Whether replies are kept in `.candor/replies` and given again to the very same request.'),
      record: z.string().min(1).optional().describe('Folder in which every call is recorded.'),
      replay: z
        .string()
        .min(1)
        .optional()
        .describe('Folder of recordings that answer in place of the service; what is not there fails.'),
      traceContent: z
        .boolean()
        .optional()
        .describe('Whether OpenTelemetry spans carry questions, SQL, prompts and replies.'),
    })
    .optional()
    .describe('A language model that answers; without one the built-in engine does.'),
  user: z
    .string()
    .min(1)
    .optional()
    .describe('Who asks, as the query log spells it: decides which tables come first and signs notes.'),
  catalog: z
    .enum(['whole', 'lake'])
    .optional()
    .describe(
      'How the tables are known: `whole` (default), all of them profiled and in memory, for up to some ten thousand; `lake`, in a file that is searched, and only those that a question needs are read closer. See docs/guides/scale.md.',
    ),
  areas: z
    .array(z.string().min(1))
    .optional()
    .describe('Product areas of `knowledge/areas.yml` to work in; without them those of the user.'),
  session: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Values that row filters and masks name as `:name`.'),
  server: SERVER_SCHEMA.optional().describe('How `candor serve` treats people.'),
  jobs: JOBS_SCHEMA.optional().describe(
    'Background jobs, which `candor work` does; they need `server.state`.',
  ),
  minProbability: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Candor abstains when it thinks an answer is right with less than this probability.'),
  targetRisk: z
    .number()
    .gt(0)
    .lt(1)
    .optional()
    .describe(
      'Share of the answers given that may be wrong, between 0 and 1: what is likelier wrong is answered with a warning or not at all (default: nothing is withheld for its risk).',
    ),
  usage: USAGE_SCHEMA.optional().describe('Where it is written who runs what.'),
  today: z.iso
    .date()
    .optional()
    .describe(
      'The day that "today" and "this year" refer to, YYYY-MM-DD, for data that has stopped growing.',
    ),
});
