/** Tables as people look them up: a list, and one with all that is known of it. */
import { z } from '@hono/zod-openapi';

const TAG = z.enum(['certified', 'popular', 'deprecated']);

const LISTED_TABLE = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['table', 'view']),
    description: z.string().optional(),
    rowCount: z.int().optional().openapi({ description: 'Absent where rows are filtered or not counted.' }),
    isRowCountEstimated: z.boolean(),
    columnCount: z.int(),
    tags: z.array(TAG),
    monthlyReads: z.number().optional().openapi({ description: 'Absent where no query log was read.' }),
  })
  .openapi('ListedTable');
export type ListedTable = z.infer<typeof LISTED_TABLE>;

export const TABLE_LIST = z
  .strictObject({
    tables: z.array(LISTED_TABLE),
    total: z.int(),
    next: z.string().optional().openapi({ description: 'What `after` is for the next page.' }),
  })
  .openapi('TableList');

const SAID = z.strictObject({
  text: z.string(),
  source: z.enum(['person', 'import', 'engine', 'usage', 'model']),
  place: z.string().optional(),
});

const COUNTED_VALUE = z.strictObject({ value: z.string(), count: z.int() });

const PROFILE = z
  .strictObject({
    rows: z.int().openapi({ description: 'That the figures are of.' }),
    sampledBy: z.enum(['random blocks', 'random rows', 'first rows']).optional(),
    nullShare: z.number().optional(),
    distinct: z.int().optional(),
    isDistinctEstimated: z.boolean(),
    isWithheld: z.boolean().openapi({ description: 'Personal or secret: values are kept nowhere.' }),
    personal: z.string().optional().openapi({ description: 'What kind of personal value, and why so.' }),
    meaning: z.string().optional().openapi({ description: 'key, measure, category, …' }),
    min: z.string().optional(),
    max: z.string().optional(),
    examples: z.array(z.string()),
    topValues: z.array(COUNTED_VALUE),
    bins: z.array(z.string()).openapi({ description: 'Bounds of bins with about equally many values.' }),
  })
  .openapi('ColumnProfile');
export type Profile = z.infer<typeof PROFILE>;

const COLUMN = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  family: z.enum(['text', 'number', 'time', 'boolean', 'other']),
  isNullable: z.boolean(),
  isPrimaryKey: z.boolean(),
  isPartitionKey: z.boolean(),
  isMasked: z.boolean(),
  references: z.array(z.string()).openapi({ description: 'Ids of columns that keys lead to.' }),
  descriptions: z.array(SAID),
  synonyms: z.array(z.string()),
  profile: PROFILE.optional(),
});
export type ListedColumn = z.infer<typeof COLUMN>;

const JOIN = z.strictObject({
  table: z.string(),
  on: z.array(z.strictObject({ own: z.string(), other: z.string() })),
  said: z.array(
    z.strictObject({
      by: z.enum(['declared', 'semantic', 'used', 'inferred']),
      confidence: z.number().optional(),
      runs: z.int().optional(),
      users: z.int().optional(),
    }),
  ),
});
export type Join = z.infer<typeof JOIN>;

const NAMED = z.strictObject({ name: z.string(), description: z.string().optional() });

export const TABLE = z
  .strictObject({
    ...LISTED_TABLE.shape,
    descriptions: z.array(SAID),
    synonyms: z.array(z.string()),
    status: z
      .strictObject({
        status: z.enum(['certified', 'deprecated']),
        by: z.string(),
        at: z.string(),
        why: z.string().optional(),
        replacedBy: z.string().optional(),
      })
      .optional(),
    hasRowFilter: z.boolean(),
    columns: z.array(COLUMN),
    nextColumn: z.int().optional().openapi({ description: 'What `from` is for the columns after these.' }),
    joins: z.array(JOIN),
    notes: z.array(
      z.strictObject({
        text: z.string(),
        place: z.string(),
        by: z.string().optional(),
        at: z.string().optional(),
      }),
    ),
    examples: z.array(
      z.strictObject({ question: z.string(), sql: z.string().optional(), place: z.string() }),
    ),
    metrics: z.array(NAMED),
    dimensions: z.array(z.strictObject({ ...NAMED.shape, column: z.string() })),
    areas: z.array(z.strictObject({ id: z.string(), name: z.string() })),
    usage: z
      .strictObject({
        from: z.string(),
        to: z.string(),
        runs: z.int(),
        users: z.int(),
        lastAt: z.string().optional(),
        readWith: z.array(z.strictObject({ table: z.string(), runs: z.int() })),
      })
      .optional(),
    cut: z.array(z.string()).openapi({ description: 'Lists that are longer than what is shown.' }),
  })
  .openapi('Table');
export type TablePage = z.infer<typeof TABLE>;
