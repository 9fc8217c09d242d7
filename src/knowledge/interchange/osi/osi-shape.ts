/** The shape of an Open Semantic Interchange file (core specification 0.2), tolerant of keys of later versions. */
import { z } from 'zod';

const NAME = z.string().trim().min(1);
const CONTEXT = z.union([z.string(), z.looseObject({ synonyms: z.array(NAME).optional() })]).optional();
const EXTENSIONS = z.array(z.looseObject({ vendor_name: NAME, data: z.unknown() })).optional();
const EXPRESSION = z.strictObject({
  dialects: z.array(z.strictObject({ dialect: NAME, expression: NAME })).min(1),
});

const described = { description: z.string().optional(), ai_context: CONTEXT, custom_extensions: EXTENSIONS };

export const OSI_FIELD = z.looseObject({
  name: NAME,
  expression: EXPRESSION,
  dimension: z.looseObject({ is_time: z.boolean().optional() }).optional(),
  label: z.string().optional(),
  datatype: z.string().optional(),
  ...described,
});

export const OSI_METRIC = z.looseObject({
  name: NAME,
  expression: EXPRESSION,
  datatype: z.string().optional(),
  ...described,
});

export const OSI_DATASET = z.looseObject({
  name: NAME,
  source: NAME,
  primary_key: z.array(NAME).optional(),
  unique_keys: z.array(z.array(NAME)).optional(),
  fields: z.array(OSI_FIELD).optional(),
  metrics: z.array(OSI_METRIC).optional(),
  ...described,
});

export const OSI_RELATIONSHIP = z.looseObject({
  name: NAME,
  from: NAME,
  to: NAME,
  from_columns: z.array(NAME).min(1),
  to_columns: z.array(NAME).min(1),
  ai_context: CONTEXT,
  custom_extensions: EXTENSIONS,
});

export const OSI_MODEL = z.looseObject({
  name: NAME,
  datasets: z.array(OSI_DATASET).min(1, 'expected at least one dataset'),
  relationships: z.array(OSI_RELATIONSHIP).optional(),
  metrics: z.array(OSI_METRIC).optional(),
  ...described,
});

export type OsiModel = z.infer<typeof OSI_MODEL>;
export type OsiDataset = z.infer<typeof OSI_DATASET>;
export type OsiField = z.infer<typeof OSI_FIELD>;
export type OsiMetric = z.infer<typeof OSI_METRIC>;
export type OsiRelationship = z.infer<typeof OSI_RELATIONSHIP>;

/** Dialects whose expressions are SQL, in the order they are taken. */
const SQL_DIALECTS = ['ANSI_SQL', 'OSSIE_SQL_2026', 'SNOWFLAKE', 'DATABRICKS', 'BIGQUERY'];

/** The SQL of a field or metric; `undefined` when it has only expressions of other languages (MDX, DAX, MAQL). */
export function sqlOf({
  expression,
}: Pick<OsiField, 'expression'>): OsiField['expression']['dialects'][number] | undefined {
  for (const wanted of SQL_DIALECTS) {
    const found = expression.dialects.find(({ dialect }) => dialect.toUpperCase() === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}
