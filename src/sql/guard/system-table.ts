import type { ReadingRules } from '../functions/reading-rules.ts';
import { child, type SqlNode } from '../tree/node.ts';

/** Whether a table is one of the engine itself, by its own name or by the schema it is written with. */
export function isSystemTable(table: SqlNode, { systemTable, systemSchemas }: ReadingRules): boolean {
  const schemas = partsOf(table)
    .slice(0, -1)
    .flatMap((part) => part.split('.'));
  return systemTable.test(nameOf(table)) || schemas.some((part) => systemSchemas.has(part));
}

/** Catalogs that are well known far beyond their engine: whoever writes them means no table of the user. */
const KNOWN_NAME =
  /^(?:sqlite_(?:master|schema|temp_master|temp_schema|sequence|stat\d)|pg_[a-z_]+|duckdb_[a-z_]+|(?:all|dba|user)_(?:tables|tab_columns|views|objects))$/;
const KNOWN_SCHEMA = /^(?:information_schema|pg_catalog|performance_schema|sys)$/;

/** Whether a table that is not in the catalog is a system catalog of some engine, this one or another. */
export function isSystemTableAnywhere(table: SqlNode, rules: ReadingRules): boolean {
  if (isSystemTable(table, rules) || KNOWN_NAME.test(nameOf(table))) return true;
  return partsOf(table)
    .slice(0, -1)
    .some((part) => KNOWN_SCHEMA.test(part));
}

/** `information_schema.tables`: a table as it is written, in lower case. */
export function tableName(table: SqlNode): string {
  return partsOf(table).join('.');
}

function nameOf(table: SqlNode): string {
  return child(table, 'this')?.value?.toLowerCase() ?? '';
}

function partsOf(table: SqlNode): readonly string[] {
  return table.children
    .filter(({ type }) => type === 'Identifier')
    .map(({ value }) => (value ?? '').toLowerCase());
}
