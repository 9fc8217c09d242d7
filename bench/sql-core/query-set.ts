/** Queries and schemas in one form, whatever benchmark they come from. */

import type { DialectName } from '../../src/sql/dialects/dialect.ts';

export interface CoreQuery {
  readonly id: string;
  readonly set: string;
  readonly dialect: DialectName;
  readonly sql: string;
  readonly databaseId: string;
  /** Whether an engine has run it: true of gold queries, unknown of some predictions. */
  readonly runs: boolean | undefined;
}

/** Names as the engine stores them: a dialect that folds unquoted names finds them folded here. */
export interface CoreSchema {
  readonly databaseId: string;
  readonly tables: readonly CoreTable[];
}

export interface CoreTable {
  readonly name: string;
  /** Database and schema, or only the schema, where tables are named with them. */
  readonly qualifier?: readonly string[];
  readonly columns: readonly CoreColumn[];
}

export interface CoreColumn {
  readonly name: string;
  /** As the source says; empty when it does not. */
  readonly type: string;
}

export interface QuerySet {
  readonly queries: readonly CoreQuery[];
  readonly schemas: readonly CoreSchema[];
}

/** The same schema with every name changed: `renameAll(schema, fold)`. */
export function renameAll(tables: readonly CoreTable[], rename: (name: string) => string): CoreTable[] {
  return tables.map(({ name, qualifier, columns }) => ({
    name: rename(name),
    ...(qualifier === undefined ? {} : { qualifier: qualifier.map(rename) }),
    columns: columns.map((column) => ({ name: rename(column.name), type: column.type })),
  }));
}

/** A name that was created without quotes, as PostgreSQL stores it: `PostId` → `postid`, `First Date` stays. */
export function foldLower(name: string): string {
  return /^\w+$/.test(name) ? name.toLowerCase() : name;
}

/** The same for Snowflake: `PostId` → `POSTID`. */
export function foldUpper(name: string): string {
  return /^\w+$/.test(name) ? name.toUpperCase() : name;
}
