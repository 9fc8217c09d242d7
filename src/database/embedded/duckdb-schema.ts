/** Reads tables, columns, keys and comments of a DuckDB file from its system functions. */
import type { DatabaseSchema, SchemaColumn, SchemaForeignKey, SchemaTable } from '../database.ts';

/** Rows as JSON values: text, whole numbers as text, booleans, lists. */
type ReadRows = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/** Only the schema that unqualified names reach. */
const HERE = `database_name = current_database() AND schema_name = 'main'`;

export async function readDuckdbSchema(read: ReadRows): Promise<DatabaseSchema> {
  const tableRows = await read(`
    SELECT table_name, 'table' AS kind, comment, table_oid AS oid FROM duckdb_tables() WHERE ${HERE} AND NOT internal
    UNION ALL
    SELECT view_name, 'view', comment, view_oid FROM duckdb_views() WHERE ${HERE} AND NOT internal
    ORDER BY oid`);
  const columnRows = await read(`
    SELECT table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()
    WHERE ${HERE} AND NOT internal ORDER BY table_oid, column_index`);
  const keyRows = await read(`
    SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
    FROM duckdb_constraints() WHERE ${HERE} AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
    ORDER BY table_oid, constraint_index`);

  const columns = new Map<string, SchemaColumn[]>();
  for (const [table, name, type, isNullable, comment] of columnRows) {
    const list = columns.get(String(table)) ?? [];
    list.push({
      name: String(name),
      type: String(type),
      isNullable: isNullable === true,
      ...readComment(comment),
    });
    columns.set(String(table), list);
  }
  const tableNames = new Map(tableRows.map(([name]) => [String(name).toLowerCase(), String(name)]));
  const primaryKeys = new Map<string, readonly string[]>();
  const foreignKeys: SchemaForeignKey[] = [];
  for (const [table, type, names, target, targetNames] of keyRows) {
    if (type === 'PRIMARY KEY') primaryKeys.set(String(table), toNames(names));
    else
      foreignKeys.push({
        fromTable: String(table),
        fromColumns: toNames(names),
        // The constraint keeps the spelling of its own text, not that of the table.
        toTable: tableNames.get(String(target).toLowerCase()) ?? String(target),
        toColumns: toNames(targetNames),
      });
  }
  const tables: SchemaTable[] = [];
  for (const [tableName, kind, comment] of tableRows) {
    const name = String(tableName);
    const own = columns.get(name);
    // A view whose tables are gone has no columns any more; nobody can read it.
    if (own === undefined) continue;
    tables.push({
      name,
      kind: kind === 'view' ? 'view' : 'table',
      ...readComment(comment),
      columns: own,
      primaryKey: primaryKeys.get(name) ?? [],
    });
  }
  return { tables, foreignKeys };
}

function readComment(comment: unknown): { comment?: string } {
  return typeof comment === 'string' && comment !== '' ? { comment } : {};
}

function toNames(names: unknown): string[] {
  return Array.isArray(names) ? names.map(String) : [];
}
