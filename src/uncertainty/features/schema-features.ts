/** What the schema knows of the names in a query: features 17 to 38 (node-uncertainty, section 7 B). */

import type { ReadQuery } from '../../faults/reading/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import type { Feature, FeatureGroup, FeatureSources, FeatureValue, NodeReader } from './feature.ts';
import { SCHEMA_WIDTH, schemaRows } from './schema-rows.ts';

const YES_OR_NO = { kind: 'boolean', unit: 'yes or no' } as const;

/** In the order of `schemaRows`. */
const SCHEMA_FEATURES = [
  {
    ...YES_OR_NO,
    name: 'is_identifier_valid',
    about: 'whether a table or column has the name, or the query makes it; also yes where a node is no name',
    tell: (value) => (value === 0 ? 'no table or column has this name' : undefined),
  },
  {
    ...YES_OR_NO,
    name: 'table_exists',
    about: 'whether its table is one of the schema or of the query',
    tell: (value, node) => (value === 0 && isTable(node) ? 'the schema has no such table' : undefined),
  },
  { ...YES_OR_NO, name: 'column_exists_anywhere', about: 'whether some table has a column of the name' },
  {
    ...YES_OR_NO,
    name: 'column_exists_in_resolved_table',
    about: 'whether the table that the name is looked for in has it',
    tell: (value, node) =>
      value === 0 && isQualified(columnOf(node))
        ? 'no table that is called so here has this column'
        : undefined,
  },
  {
    ...YES_OR_NO,
    name: 'column_exists_in_scope',
    about: 'whether a table in sight has it, or it is an alias of the select list',
    tell: (value, node) =>
      value === 0 && columnOf(node) !== undefined ? 'no table in sight has this column' : undefined,
  },
  {
    name: 'n_tables_with_column',
    kind: 'count',
    unit: 'tables',
    about: 'tables of the schema with a column of the name',
    tell: (value) => (atLeast(value, 2) ? `${value} tables have a column of this name` : undefined),
  },
  {
    name: 'n_scope_sources_with_column',
    kind: 'count',
    unit: 'tables',
    about: 'tables in sight with a column of the name',
    tell: (value) => (atLeast(value, 2) ? `${value} of the tables in sight have this column` : undefined),
  },
  {
    ...YES_OR_NO,
    name: 'is_ambiguous_in_scope',
    about: 'whether the column could be that of several tables and does not say which',
    tell: (value) =>
      value === 1 ? 'it could be the column of several tables and does not say which' : undefined,
  },
  { ...YES_OR_NO, name: 'has_qualifier', about: 'whether the column says its table' },
  {
    ...YES_OR_NO,
    name: 'qualifier_in_scope',
    about: 'whether a table in sight is called as the qualifier says',
    tell: (value, node) => (value === 0 && isQualifying(node) ? 'no table in sight is called so' : undefined),
  },
  { ...YES_OR_NO, name: 'qualifier_is_alias', about: 'whether the qualifier is an alias' },
  { ...YES_OR_NO, name: 'qualifier_is_table_name', about: 'whether the schema has a table of its name' },
  { ...YES_OR_NO, name: 'qualifier_resolves_to_base', about: 'whether it means a table of the schema' },
  { ...YES_OR_NO, name: 'table_is_aliased', about: 'whether its table has an alias' },
  { ...YES_OR_NO, name: 'alias_used', about: 'whether the alias is named anywhere in its query' },
  {
    ...YES_OR_NO,
    name: 'alias_shadows_table',
    about: 'whether the alias is the name of another table',
    tell: (value) => (value === 1 ? 'its alias is the name of another table' : undefined),
  },
  {
    name: 'n_scope_sources',
    kind: 'count',
    unit: 'tables',
    about: 'tables in sight, those of the queries around it too',
    tell: (value) => (atLeast(value, 4) ? `${value} tables are in sight here` : undefined),
  },
  {
    ...YES_OR_NO,
    name: 'is_primary_key',
    about: 'whether the column is a part of the primary key',
    tell: (value) => (value === 1 ? 'it is a key of its table' : undefined),
  },
  {
    ...YES_OR_NO,
    name: 'is_foreign_key',
    about: 'whether the column refers to another table',
    tell: (value) => (value === 1 ? 'it is a key of another table' : undefined),
  },
  {
    name: 'join_matches_fk',
    kind: 'ratio',
    unit: 'share',
    about: '1: a key joins the columns; 0.5: their name is that of a key; 0: neither; −1: nothing is joined',
    tell: tellJoin,
  },
  {
    name: 'n_columns_in_table',
    kind: 'count',
    unit: 'columns',
    about: 'columns of its table',
    tell: (value) => (atLeast(value, 30) ? 'its table has many columns' : undefined),
  },
  {
    ...YES_OR_NO,
    name: 'resolves_to_projection_alias',
    about: 'whether the name means an item of the select list',
  },
] as const satisfies readonly Feature[];

/**
 * Of columns, tables, table aliases and identifiers; for other nodes neutral: 0 for booleans and counts, −1 for
 * `join_matches_fk`, 1 for `is_identifier_valid`.
 */
export const schemaFeatures: FeatureGroup = { name: 'schema', features: SCHEMA_FEATURES, open };

function open(query: ReadQuery, { schema }: FeatureSources): NodeReader {
  const rows = schemaRows(query, schema);
  return ({ id }, into, at) => {
    const row = id * SCHEMA_WIDTH;
    for (let index = 0; index < SCHEMA_WIDTH; index += 1) into[at + index] = rows[row + index] ?? 0;
  };
}

/** The Column whose own name the node is or has; a star has none. */
function columnOf(node: SqlNode | undefined): SqlNode | undefined {
  const column = node?.type === 'Identifier' && node.role === 'this' ? node.parent : node;
  return column?.type === 'Column' && column.children.at(-1)?.type === 'Identifier' ? column : undefined;
}

function isQualified(column: SqlNode | undefined): boolean {
  return column !== undefined && column.children.length > 1;
}

/** A qualifier, or a column that has one. */
function isQualifying(node: SqlNode | undefined): boolean {
  return isQualified(columnOf(node)) || (node?.role === 'table' && node.parent?.type === 'Column');
}

/** A table or its name. */
function isTable(node: SqlNode | undefined): boolean {
  return node?.type === 'Table' || (node?.role === 'this' && node.parent?.type === 'Table');
}

function atLeast(value: FeatureValue, bound: number): boolean {
  return typeof value === 'number' && value >= bound;
}

function tellJoin(value: FeatureValue): string | undefined {
  switch (value) {
    case 0:
      return 'no key joins these columns';
    case 0.5:
      return 'the columns it joins share a name, but no key joins them';
    case 1:
      return 'a key joins these columns';
    default:
      return undefined;
  }
}
