/** The shape of a semantic file: Open Semantic Interchange, and what Candor adds under `custom_extensions`. */

import { z } from 'zod';
import { inQuotes, withoutQuotes } from '../../sql/dialects/index.ts';

const NAME = z.string().trim().min(1);
const WORDS = z.array(NAME).default([]);

const AI_CONTEXT = z.union([z.string(), z.looseObject({ synonyms: WORDS })]).optional();
const EXTENSIONS = z.array(z.looseObject({ vendor_name: NAME, data: z.unknown() })).default([]);
const EXPRESSION = z.strictObject({
  dialects: z.array(z.strictObject({ dialect: NAME, expression: NAME })).min(1),
});
const DESCRIPTION = z.string().optional();

const FIELD = z.strictObject({
  name: NAME,
  expression: EXPRESSION,
  dimension: z.looseObject({ is_time: z.boolean().optional() }).optional(),
  label: z.string().optional(),
  description: DESCRIPTION,
  datatype: z.string().optional(),
  ai_context: AI_CONTEXT,
  custom_extensions: EXTENSIONS,
});

const METRIC = z.strictObject({
  name: NAME,
  expression: EXPRESSION,
  description: DESCRIPTION,
  datatype: z.string().optional(),
  ai_context: AI_CONTEXT,
  custom_extensions: EXTENSIONS,
});

const DATASET = z.strictObject({
  name: NAME,
  source: NAME,
  primary_key: z.array(NAME).default([]),
  unique_keys: z.array(z.array(NAME)).default([]),
  description: DESCRIPTION,
  ai_context: AI_CONTEXT,
  fields: z.array(FIELD).default([]),
  metrics: z.array(METRIC).default([]),
  custom_extensions: EXTENSIONS,
});

const RELATIONSHIP = z
  .strictObject({
    name: NAME,
    from: NAME,
    to: NAME,
    from_columns: z.array(NAME).min(1),
    to_columns: z.array(NAME).min(1),
    ai_context: AI_CONTEXT,
    custom_extensions: EXTENSIONS,
  })
  .refine((link) => link.from_columns.length === link.to_columns.length, {
    message: 'expected as many columns in `to_columns` as in `from_columns`',
    path: ['to_columns'],
  });

const MODEL = z.strictObject({
  name: NAME,
  description: DESCRIPTION,
  ai_context: AI_CONTEXT,
  datasets: z.array(DATASET),
  relationships: z.array(RELATIONSHIP).default([]),
  metrics: z.array(METRIC).default([]),
  custom_extensions: EXTENSIONS,
});

/** A whole file. */
export const SEMANTIC_FILE = z.strictObject({
  version: z.string().optional(),
  semantic_model: z.array(MODEL).min(1),
});

export type FileModel = z.infer<typeof MODEL>;
export type FileDataset = z.infer<typeof DATASET>;
export type FileField = z.infer<typeof FIELD>;
export type FileMetric = z.infer<typeof METRIC>;
export type FileRelationship = z.infer<typeof RELATIONSHIP>;
export type FileExtensions = z.infer<typeof EXTENSIONS>;
export type FileContext = z.infer<typeof AI_CONTEXT>;

const COLUMN = z.string().regex(/^[^.\s]+\.[^.]+$/, 'expected `table.column`');
const GAP = z.enum(['time', 'intent', 'term', 'value', 'metric']);

/** What Candor adds to a dataset. */
export const DATASET_EXTENSION = z.strictObject({
  default_filter: z.strictObject({ sql: NAME, text: NAME }).optional(),
  time_column: COLUMN.optional(),
  display_column: COLUMN.optional(),
  row_filter: NAME.optional(),
  trusted_view: z.boolean().optional(),
});

/** What Candor adds to a field; all but the mask is for dimensions. */
export const FIELD_EXTENSION = z.strictObject({
  parent: NAME.optional(),
  via: z.record(NAME, NAME).optional(),
  mask: NAME.optional(),
});

/** What Candor adds to a relationship. */
export const RELATIONSHIP_EXTENSION = z.strictObject({ role: NAME.optional() });

/** What Candor adds to a metric: all that makes its definition complete. */
export const METRIC_EXTENSION = z.strictObject({
  table: NAME.optional(),
  ratio: z.strictObject({ numerator: NAME, denominator: NAME }).optional(),
  filters: z.array(NAME).default([]),
  mandatory_dimensions: WORDS,
  time_column: COLUMN.optional(),
  conditional_filters: z
    // biome-ignore lint/suspicious/noThenProperty: the key of the file format; the object is never awaited.
    .array(z.strictObject({ when_dimensions: z.array(NAME).min(1), then: NAME, otherwise: NAME }))
    .default([]),
  unit: NAME.optional(),
});

/** What Candor adds to a model: the words and rules that no table holds. */
export const MODEL_EXTENSION = z.strictObject({
  time_rules: z
    .strictObject({
      default_window: z.enum(['all', 'current-year']).default('all'),
      excludes_today: z.boolean().default(false),
      fiscal_year_start_month: z.int().min(1).max(12).default(1),
      week_start: z.enum(['monday', 'sunday']).default('monday'),
    })
    .optional(),
  value_mappings: z
    .array(
      z.strictObject({
        column: COLUMN,
        value: z.union([z.string(), z.number()]),
        surface: z.array(NAME).min(1),
      }),
    )
    .default([]),
  jargon: z.array(z.strictObject({ term: NAME, meaning: NAME })).default([]),
  answers: z.array(z.strictObject({ phrase: NAME, take: NAME })).default([]),
  out_of_scope: z.array(z.strictObject({ term: NAME, why: NAME })).default([]),
  vague_terms: z
    .array(z.strictObject({ term: NAME, gap: GAP, ask: NAME, options: z.array(NAME).min(2).max(5) }))
    .default([]),
});

export type ModelExtension = z.infer<typeof MODEL_EXTENSION>;

// How a field of a semantic file names the one column that it is.

const ONE_COLUMN = /^(?:(?:[^\s.()"]+|"(?:[^"]|"")+")\.)?(?:("(?:[^"]|"")+")|([^\s.()"]+))$/;

/**
 * The column that an expression is and nothing else: `status`, `orders.status`, `"Free Meal Count (K-12)"`.
 * `undefined` for all other SQL. Quotes are needed where a name holds spaces, dots or brackets.
 */
export function readOneColumn(expression: string): string | undefined {
  const found = ONE_COLUMN.exec(expression.trim());
  return found === null ? undefined : withoutQuotes(found[1] ?? found[2] ?? '');
}

/** The expression that `readOneColumn` reads as this column. */
export function writeOneColumn(column: string): string {
  return /[\s.()"]/.test(column) ? inQuotes(column, '"') : column;
}
