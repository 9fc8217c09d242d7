/** The shape of Cube data model files in YAML. Keys that only pass through are unchecked. */
import { z } from 'zod';

const NAME = z.string().trim().min(1);
const passed = z.unknown();
const META = z.record(z.string(), z.unknown()).nullish();
const SQL = z.union([z.string(), z.number()]).transform(String);
const described = {
  name: NAME,
  title: z.string().nullish(),
  description: z.string().nullish(),
  public: z.union([z.boolean(), z.string()]).nullish(),
  shown: passed.optional(),
  meta: META,
};

export const DIMENSION = z.looseObject({
  ...described,
  sql: SQL.nullish(),
  type: z.string().nullish(),
  primary_key: z.boolean().nullish(),
  case: passed.optional(),
  format: passed.optional(),
  sub_query: passed.optional(),
  propagate_filters_to_sub_query: passed.optional(),
  granularities: passed.optional(),
  latitude: passed.optional(),
  longitude: passed.optional(),
});

export const MEASURE = z.looseObject({
  ...described,
  type: z.string().trim().min(1),
  sql: SQL.nullish(),
  filters: z.array(z.looseObject({ sql: SQL })).nullish(),
  format: passed.optional(),
  drill_members: passed.optional(),
  rolling_window: passed.optional(),
  multi_stage: passed.optional(),
  time_shift: passed.optional(),
  group_by: passed.optional(),
  reduce_by: passed.optional(),
  add_group_by: passed.optional(),
  case: passed.optional(),
});

export const SEGMENT = z.looseObject({ ...described, sql: SQL });

export const JOIN = z.looseObject({ name: NAME, sql: SQL, relationship: NAME });

export const CUBE_SHAPE = z.looseObject({
  ...described,
  sql: SQL.nullish(),
  sql_table: SQL.nullish(),
  extends: z.string().nullish(),
  joins: z.array(JOIN).nullish(),
  dimensions: z.array(DIMENSION).nullish(),
  measures: z.array(MEASURE).nullish(),
  segments: z.array(SEGMENT).nullish(),
  access_policy: z.array(z.looseObject({})).nullish(),
  sql_alias: passed.optional(),
  data_source: passed.optional(),
  refresh_key: passed.optional(),
  rewrite_queries: passed.optional(),
  pre_aggregations: passed.optional(),
  hierarchies: passed.optional(),
  calendar: passed.optional(),
});

export const CUBE_FILE = z.looseObject({
  cubes: z.array(CUBE_SHAPE).nullish(),
  views: z.array(z.looseObject({ name: NAME })).nullish(),
});

export type CubeDimension = z.infer<typeof DIMENSION>;
export type CubeMeasure = z.infer<typeof MEASURE>;
export type CubeJoin = z.infer<typeof JOIN>;
export type CubeCube = z.infer<typeof CUBE_SHAPE>;

export const CUBE_VENDOR = 'CUBE';
