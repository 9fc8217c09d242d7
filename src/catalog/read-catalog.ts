/** From the engine's own schema to a catalog. */
import { createHash } from 'node:crypto';
import {
  type Database,
  type DatabaseSchema,
  type SchemaColumn,
  type SchemaForeignKey,
  type SchemaTable,
  tableKey,
} from '../database/index.ts';
import { CandorError } from '../errors.ts';
import type { DialectName } from '../sql/dialects/dialect.ts';
import { inferForeignKeys } from './keys/infer-foreign-keys.ts';
import { type ProfileOptions, profileTable } from './profiles/profile-table.ts';
import type { Catalog, Column, ForeignKey, LeftOut, Table } from './schema/catalog.ts';
import { familyOfType } from './schema/type-family.ts';

/** The catalog as declared. A table is made of its declaration when it is asked for: all at once would fill memory. */
export interface CatalogOutline {
  readonly catalog: Omit<Catalog, 'tables'>;
  /** Of all tables, in order. */
  readonly ids: readonly string[];
  /** The table of an id, without profile and row count. */
  readonly tableOf: (id: string) => Table;
  /** What tells whether an earlier profile of a table still holds. */
  readonly stampOf: (id: string) => TableStamp;
}

export interface TableStamp {
  /** Hash of what is declared: columns, types, keys. */
  readonly fingerprint: string;
  /** Changes when the rows may have changed; absent where the engine does not tell. */
  readonly dataStamp?: string;
}

/** Reads schema, profiles and inferred keys in one go; `onboard` does the same in steps that it can resume. */
export async function readCatalog(database: Database, options: ProfileOptions = {}): Promise<Catalog> {
  const catalog = await outlineCatalog(database, options.signal);
  const keyColumns = new Set(catalog.foreignKeys.flatMap(({ fromColumns }) => fromColumns));
  const tables: Table[] = [];
  for (const table of catalog.tables)
    tables.push((await profileTable(database, table, { keyColumns, ...options })).table);
  const { foreignKeys } = catalog;
  const inferred = await inferForeignKeys(database, { tables: () => tables, foreignKeys }, options.signal);
  const keyOverlaps = inferred.overlaps;
  return { ...catalog, tables, foreignKeys: [...foreignKeys, ...inferred.foreignKeys], keyOverlaps };
}

/**
 * The catalog without profiles and row counts. Of names that are equal but for case the first is kept and the others
 * are told in `leftOut`. Throws `database.empty-schema` when there is nothing to ask.
 */
export async function outlineCatalog(database: Database, signal?: AbortSignal): Promise<Catalog> {
  const { catalog, ids, tableOf } = await readOutline(database, signal);
  return { ...catalog, tables: ids.map(tableOf) };
}

/** The same table by table, with their stamps. */
export async function readOutline(
  database: Pick<Database, 'dialect' | 'name' | 'url' | 'readSchema'>,
  signal?: AbortSignal,
): Promise<CatalogOutline> {
  const schema = await database.readSchema(signal);
  if (schema.tables.length === 0) {
    const missing = (schema.leftOut ?? []).map(({ name, because }) => `; ${name} is left out: ${because}`);
    throw new CandorError(
      'database.empty-schema',
      `the database ${database.name} has no tables or views${missing.join('')}`,
      {
        data: { url: database.url },
      },
    );
  }
  const { kept, leftOut } = keepFirst(schema.tables, (table) => tableKey(table));
  leftOut.push(...(schema.leftOut ?? []));
  const keysOf = groupKeys(schema);
  const packed = new Map<string, PackedTable>();
  for (const table of kept) {
    const key = tableKey(table);
    packed.set(key.toLowerCase(), packTable(table, keysOf.get(key)));
    leftOut.push(...keepFirst(table.columns, ({ name }) => name, `${key}.`).leftOut);
  }
  const get = (id: string): PackedTable => {
    const table = packed.get(id);
    if (table === undefined) throw new CandorError('internal.bug', `there is no table ${id}`);
    return table;
  };
  const known = new Set(kept.map(tableKey));
  return {
    catalog: {
      database: database.name,
      dialect: database.dialect,
      foreignKeys: schema.foreignKeys
        .filter(({ fromTable, toTable }) => known.has(fromTable) && known.has(toTable))
        .map(toForeignKey),
      fingerprint: createHash('sha256')
        .update([...packed.values()].map(({ stamp }) => stamp.fingerprint).join(''))
        .digest('hex')
        .slice(0, 16),
      ...(schema.ownNames && { ownNames: schema.ownNames }),
      ...(schema.home && { home: schema.home }),
      ...(leftOut.length === 0 ? {} : { leftOut }),
    },
    ids: [...packed.keys()],
    // What was packed is a table of the engine's schema.
    tableOf: (id) => toTable(JSON.parse(get(id).json.toString()), database.dialect),
    stampOf: (id) => get(id).stamp,
  };
}

/** Declarations as bytes: 350,000 columns as objects would make the heap, and with it its slack, three times as large. */
interface PackedTable {
  readonly json: Buffer;
  readonly stamp: TableStamp;
}

function packTable(table: SchemaTable, keys: readonly SchemaForeignKey[] | undefined): PackedTable {
  const { dataStamp } = table;
  const fingerprint = tableFingerprint(table, keys);
  return {
    json: Buffer.from(JSON.stringify(table)),
    stamp: { fingerprint, ...(dataStamp === undefined ? {} : { dataStamp }) },
  };
}

function groupKeys({ foreignKeys }: DatabaseSchema): Map<string, SchemaForeignKey[]> {
  const keysOf = new Map<string, SchemaForeignKey[]>();
  for (const key of foreignKeys) {
    const known = keysOf.get(key.fromTable);
    if (known === undefined) keysOf.set(key.fromTable, [key]);
    else known.push(key);
  }
  return keysOf;
}

/** Canonical ids are lower case, so two names that differ in case alone would be one. */
function keepFirst<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  place = '',
): { readonly kept: Item[]; readonly leftOut: LeftOut[] } {
  const first = new Map<string, string>();
  const kept: Item[] = [];
  const leftOut: LeftOut[] = [];
  for (const item of items) {
    const name = nameOf(item);
    const known = first.get(name.toLowerCase());
    if (known === undefined) {
      first.set(name.toLowerCase(), name);
      kept.push(item);
    } else {
      leftOut.push({
        name: place + name,
        because: `only upper and lower case tell it from ${place}${known}`,
      });
    }
  }
  return { kept, leftOut };
}

function toTable(table: SchemaTable, dialect: DialectName): Table {
  const id = tableKey(table).toLowerCase();
  const { kept } = keepFirst(table.columns, (column) => column.name);
  const { name, kind, ownsRows, schema, catalog, qualifier, comment, partitionKey, estimatedRows } = table;
  return {
    id,
    name,
    ...(schema === undefined ? {} : { schema }),
    ...(catalog === undefined ? {} : { catalog }),
    ...(qualifier === undefined || qualifier.length === 0 ? {} : { qualifier }),
    kind,
    ...(ownsRows && { ownsRows }),
    ...(comment === undefined ? {} : { comment }),
    columns: kept.map((column) => toColumn(id, column, dialect)),
    primaryKey: table.primaryKey.map((column) => toColumnId(id, column)),
    ...(partitionKey === undefined
      ? {}
      : { partitionKey: partitionKey.map((column) => toColumnId(id, column)) }),
    rowCount: 0,
    ...(estimatedRows === undefined ? {} : { estimatedRows }),
  };
}

function toColumn(tableId: string, column: SchemaColumn, dialect: DialectName): Column {
  return {
    id: toColumnId(tableId, column.name),
    tableId,
    name: column.name,
    type: column.type,
    family: familyOfType(dialect, column.type),
    isNullable: column.isNullable,
    ...(column.comment === undefined ? {} : { comment: column.comment }),
  };
}

function toForeignKey(key: SchemaForeignKey): ForeignKey {
  const fromTable = key.fromTable.toLowerCase();
  const toTable = key.toTable.toLowerCase();
  return {
    fromTable,
    fromColumns: key.fromColumns.map((name) => toColumnId(fromTable, name)),
    toTable,
    toColumns: key.toColumns.map((name) => toColumnId(toTable, name)),
    source: 'declared',
  };
}

function toColumnId(tableId: string, name: string): string {
  return `${tableId}.${name.toLowerCase()}`;
}

/** Hash of what is declared of a table: it changes with its columns, types and keys, not with its rows. */
function tableFingerprint(table: SchemaTable, keys: readonly SchemaForeignKey[] = []): string {
  // Statistics move while the schema stays.
  const { estimatedRows: _, dataStamp: __, ...lasting } = table;
  return createHash('sha256')
    .update(JSON.stringify([lasting, keys]))
    .digest('hex')
    .slice(0, 16);
}
