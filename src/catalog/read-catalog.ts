/** From the engine's own schema to a catalog. */
import { createHash } from 'node:crypto';
import type { Database, DatabaseSchema, SchemaTable } from '../database/index.ts';
import { CandorError } from '../errors.ts';
import type { DialectName } from '../sql/dialect.ts';
import type { Catalog, ForeignKey, Table } from './catalog.ts';
import { inferForeignKeys } from './infer-foreign-keys.ts';
import { profileTable } from './profile-table.ts';
import { familyOfType } from './type-family.ts';

/** Reads schema, profiles and inferred keys in one go; `onboard` does the same in steps that it can resume. */
export async function readCatalog(
  database: Database,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Catalog> {
  const outline = await outlineCatalog(database, options.signal);
  const tables: Table[] = [];
  for (const table of outline.tables) {
    tables.push((await profileTable(database, table, options.signal)).table);
  }
  const profiled = { ...outline, tables };
  const inferred = await inferForeignKeys(database, profiled, options.signal);
  return { ...profiled, foreignKeys: [...profiled.foreignKeys, ...inferred] };
}

/** The catalog without profiles and row counts. Throws `database.empty-schema` when there is nothing to ask. */
export async function outlineCatalog(database: Database, signal?: AbortSignal): Promise<Catalog> {
  const schema = await database.readSchema(signal);
  if (schema.tables.length === 0) {
    throw new CandorError('database.empty-schema', `the database ${database.name} has no tables or views`, {
      data: { url: database.url },
    });
  }
  return {
    database: database.name,
    dialect: database.dialect,
    tables: schema.tables.map((table) => toTable(table, database.dialect)),
    foreignKeys: toForeignKeys(schema),
    fingerprint: createHash('sha256')
      .update(JSON.stringify(lasting(schema)))
      .digest('hex')
      .slice(0, 16),
  };
}

/** Statistics move while the schema stays. */
function lasting(schema: DatabaseSchema): DatabaseSchema {
  const tables = schema.tables.map(({ estimatedRows: _, dataStamp: __, ...table }) => table);
  return { ...schema, tables };
}

function toTable(table: SchemaTable, dialect: DialectName): Table {
  const id = table.name.toLowerCase();
  return {
    id,
    name: table.name,
    kind: table.kind,
    ...(table.comment === undefined ? {} : { comment: table.comment }),
    columns: table.columns.map((column) => ({
      id: toColumnId(id, column.name),
      tableId: id,
      name: column.name,
      type: column.type,
      family: familyOfType(dialect, column.type),
      isNullable: column.isNullable,
      ...(column.comment === undefined ? {} : { comment: column.comment }),
    })),
    primaryKey: table.primaryKey.map((name) => toColumnId(id, name)),
    rowCount: 0,
  };
}

function toForeignKeys(schema: DatabaseSchema): ForeignKey[] {
  return schema.foreignKeys.map((key) => {
    const fromTable = key.fromTable.toLowerCase();
    const toTable = key.toTable.toLowerCase();
    return {
      fromTable,
      fromColumns: key.fromColumns.map((name) => toColumnId(fromTable, name)),
      toTable,
      toColumns: key.toColumns.map((name) => toColumnId(toTable, name)),
      source: 'declared',
    };
  });
}

function toColumnId(tableId: string, name: string): string {
  return `${tableId}.${name.toLowerCase()}`;
}
