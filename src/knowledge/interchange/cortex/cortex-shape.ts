/** The shape of a Cortex Analyst semantic model or semantic view in YAML. Keys that only pass through are unchecked. */
import { z } from 'zod';

const NAME = z.string().trim().min(1);
const TEXT = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const WORDS = z.array(TEXT).nullish();
const named = { name: NAME, synonyms: WORDS, description: z.string().nullish() };
const passed = z.unknown();

export const COLUMN = z.looseObject({
  ...named,
  expr: TEXT.nullish(),
  data_type: z.string().nullish(),
  unique: passed.optional(),
  sample_values: passed.optional(),
  is_enum: passed.optional(),
  cortex_search_service: passed.optional(),
  cortex_search_service_name: passed.optional(),
  access_modifier: passed.optional(),
  labels: passed.optional(),
  tags: passed.optional(),
  default_aggregation: passed.optional(),
});

export const METRIC = z.looseObject({
  ...named,
  expr: NAME,
  data_type: passed.optional(),
  access_modifier: passed.optional(),
  labels: passed.optional(),
  tags: passed.optional(),
  using_relationships: passed.optional(),
  non_additive_dimensions: passed.optional(),
});

export const FILTER = z.looseObject({ ...named, expr: NAME, labels: passed.optional() });

const BASE_TABLE = z.looseObject({
  database: NAME.optional(),
  schema: NAME.optional(),
  table: NAME.optional(),
  definition: passed.optional(),
});

const KEY = z.looseObject({ columns: z.array(NAME).min(1) });

export const TABLE = z.looseObject({
  ...named,
  base_table: BASE_TABLE,
  primary_key: KEY.nullish(),
  unique_keys: z.array(KEY).nullish(),
  dimensions: z.array(COLUMN).nullish(),
  time_dimensions: z.array(COLUMN).nullish(),
  facts: z.array(COLUMN).nullish(),
  measures: z.array(COLUMN).nullish(),
  metrics: z.array(METRIC).nullish(),
  filters: z.array(FILTER).nullish(),
  tags: passed.optional(),
});

export const RELATIONSHIP = z.looseObject({
  name: NAME,
  left_table: NAME,
  right_table: NAME,
  relationship_columns: z
    .array(z.looseObject({ left_column: NAME, right_column: NAME }))
    .min(1, 'expected at least one pair of columns'),
  join_type: z.string().nullish(),
  relationship_type: z.string().nullish(),
});

export const QUERY = z.looseObject({
  name: NAME.nullish(),
  question: NAME,
  sql: NAME,
  verified_at: z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).nullish(),
  verified_by: z.string().nullish(),
  use_as_onboarding_question: passed.optional(),
});

export const CORTEX_MODEL = z.looseObject({
  name: NAME,
  description: z.string().nullish(),
  comments: passed.optional(),
  tables: z.array(TABLE).min(1, 'expected at least one table'),
  relationships: z.array(RELATIONSHIP).nullish(),
  metrics: z.array(METRIC).nullish(),
  verified_queries: z.array(QUERY).nullish(),
  custom_instructions: z.string().nullish(),
  module_custom_instructions: z.record(z.string(), z.unknown()).nullish(),
  tags: passed.optional(),
});

export type CortexColumn = z.infer<typeof COLUMN>;
export type CortexMetric = z.infer<typeof METRIC>;
export type CortexFilter = z.infer<typeof FILTER>;
export type CortexTable = z.infer<typeof TABLE>;
export type CortexRelationship = z.infer<typeof RELATIONSHIP>;
export type CortexQuery = z.infer<typeof QUERY>;
export type CortexModel = z.infer<typeof CORTEX_MODEL>;

/** The lists of a table that hold columns, in the order they are written. */
export const COLUMN_LISTS = ['dimensions', 'time_dimensions', 'facts', 'measures'] as const;
export type ColumnList = (typeof COLUMN_LISTS)[number];
