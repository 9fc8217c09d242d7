/** The tables of Trino schema by schema, with a checksum of each that the engine computes. */
import { CandorError } from '../../errors.ts';
import { quoteName, quoteText } from '../../sql/dialects/index.ts';
import type { SchemaColumn, SchemaTable } from '../interface/database.ts';
import type { ListedTable, ReadRows, ReadTables, TableLister } from '../interface/listed-tables.ts';
import { tableKey } from '../interface/table-scope.ts';
import { isRefusal } from './trino-parts.ts';
import { readTrinoUrl } from './trino-target.ts';

interface Place {
  readonly catalog: string;
  readonly schema: string;
}

/** By the names of tables. */
type Kinds = ReadonlyMap<string, Pick<SchemaTable, 'kind' | 'ownsRows'>>;

const COLUMN_TEXT = ['column_name', 'data_type', 'is_nullable', 'comment', 'extra_info']
  .map((name) => `coalesce(${name}, '')`)
  .join(' || chr(31) || ');

/** `url` is that of the database: what it names need not be written before a table. */
export function trinoTables(read: ReadRows, url: string): TableLister {
  const target = readTrinoUrl(url);
  const qualifierOf = ({ catalog, schema }: Place): string[] => [
    ...(target.catalog === undefined ? [catalog] : []),
    ...(target.schema === undefined ? [schema] : []),
  ];
  const listPlace = async (
    place: Place,
    only: string,
    signal?: AbortSignal,
  ): Promise<readonly ListedTable[]> => {
    const rows = await read(
      `SELECT table_name, to_hex(checksum(${COLUMN_TEXT} || chr(31) || CAST(ordinal_position AS varchar)))
       FROM ${quoteName(place.catalog, 'trino')}.information_schema.columns WHERE table_schema = ${quoteText(place.schema, 'trino')} ${only}
       GROUP BY table_name ORDER BY table_name`,
      signal,
    );
    const qualifier = qualifierOf(place);
    const kinds = await readKinds(read, place, { only, signal });
    return rows.map(([name, stamp]) => {
      const { kind, ownsRows } = kinds.get(String(name)) ?? {};
      return {
        id: tableKey({ name: String(name), qualifier }).toLowerCase(),
        stamp: `${stamp} ${kind}${ownsRows ? ' of its own rows' : ''}`,
      };
    });
  };
  return {
    async *list(signal) {
      for (const catalog of await readCatalogs(read, target.catalog, signal))
        for (const schema of await readSchemas(read, catalog, { only: target.schema, signal }))
          yield await listPlace({ catalog, schema }, '', signal);
    },
    async read(ids, signal): Promise<ReadTables> {
      const stamps = new Map<string, string>();
      const tables: SchemaTable[] = [];
      for (const [key, names] of groupByPlace(ids, target)) {
        const [catalog = '', schema = ''] = key.split('\0');
        const only = `AND table_name IN (${names.map((name) => quoteText(name, 'trino')).join(', ')})`;
        for (const { id, stamp } of await listPlace({ catalog, schema }, only, signal)) stamps.set(id, stamp);
        tables.push(
          ...(await readPlace(read, {
            catalog,
            schema,
            only,
            signal,
            qualifier: qualifierOf({ catalog, schema }),
          })),
        );
      }
      return { schema: { tables, foreignKeys: [] }, stamps };
    },
  };
}

async function readCatalogs(
  read: ReadRows,
  only: string | undefined,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  if (only !== undefined) return [only];
  const sql = "SELECT catalog_name FROM system.metadata.catalogs WHERE catalog_name <> 'system'";
  return inOrder((await read(sql, signal)).map(([name]) => String(name)));
}

async function readSchemas(
  read: ReadRows,
  catalog: string,
  { only, signal }: { readonly only: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<readonly string[]> {
  if (only !== undefined) return [only];
  const sql = `SELECT schema_name FROM ${quoteName(catalog, 'trino')}.information_schema.schemata
    WHERE schema_name <> 'information_schema'`;
  return inOrder((await read(sql, signal)).map(([name]) => String(name)));
}

/** As their tables' ids stand: a dot follows each name. */
function inOrder(names: readonly string[]): readonly string[] {
  return [...names].sort((a, b) => Buffer.compare(Buffer.from(`${a}.`), Buffer.from(`${b}.`)));
}

/** Names of tables by catalog and schema; Trino's own names have no dots. */
function groupByPlace(
  ids: readonly string[],
  target: { readonly catalog: string | undefined; readonly schema: string | undefined },
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const parts = id.split('.');
    const name = parts.at(-1) ?? '';
    const schema = target.schema ?? parts.at(-2) ?? '';
    const catalog = target.catalog ?? parts.at(-3) ?? '';
    const key = `${catalog}\0${schema}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [name]);
    else known.push(name);
  }
  return groups;
}

interface PlaceToRead extends Place {
  /** Of the condition: which tables. */
  readonly only: string;
  readonly qualifier: readonly string[];
  readonly signal: AbortSignal | undefined;
}

async function readPlace(
  read: ReadRows,
  { catalog, schema, only, qualifier, signal }: PlaceToRead,
): Promise<SchemaTable[]> {
  const from = `${quoteName(catalog, 'trino')}.information_schema`;
  const where = `WHERE table_schema = ${quoteText(schema, 'trino')} ${only}`;
  const columns = new Map<string, { columns: SchemaColumn[]; partitionKey: string[] }>();
  const rows = await read(
    `SELECT table_name, column_name, data_type, is_nullable, comment, extra_info FROM ${from}.columns ${where}
     ORDER BY table_name, ordinal_position`,
    signal,
  );
  for (const [table, name, type, isNullable, comment, extra] of rows) {
    const key = String(table);
    const own = columns.get(key) ?? { columns: [], partitionKey: [] };
    columns.set(key, own);
    own.columns.push({
      ...{ name: String(name), type: String(type), isNullable: isNullable !== 'NO' },
      ...(typeof comment === 'string' && comment !== '' && { comment }),
    });
    if (extra === 'partition key') own.partitionKey.push(String(name));
  }
  const kinds = await readKinds(read, { catalog, schema }, { only, signal });
  return [...kinds].flatMap(([name, kind]): SchemaTable[] => {
    const own = columns.get(name);
    if (own === undefined) return [];
    return [
      {
        ...{ name, schema },
        ...(qualifier.length > 1 && { catalog }),
        ...(qualifier.length > 0 && { qualifier }),
        ...kind,
        ...{ columns: own.columns, primaryKey: [] },
        ...(own.partitionKey.length > 0 && { partitionKey: own.partitionKey }),
      },
    ];
  });
}

/** In the order of the names. */
async function readKinds(
  read: ReadRows,
  { catalog, schema }: Place,
  { only, signal }: Pick<PlaceToRead, 'only' | 'signal'>,
): Promise<Kinds> {
  const types = await read(
    `SELECT table_name, table_type FROM ${quoteName(catalog, 'trino')}.information_schema.tables
     WHERE table_schema = ${quoteText(schema, 'trino')} ${only} ORDER BY table_name`,
    signal,
  );
  const connector = await readConnector(read, catalog, signal);
  const materialized = await readMaterialized(read, { catalog, schema, connector }, signal);
  return new Map(
    types.map(([name, type]) => {
      const isMaterialized = materialized?.has(materializedKey(schema, name));
      return [String(name), kindOf({ type, connector, isMaterialized })];
    }),
  );
}

async function readConnector(read: ReadRows, catalog: string, signal?: AbortSignal): Promise<string> {
  const sql = `SELECT connector_name FROM system.metadata.catalogs WHERE catalog_name = ${quoteText(catalog, 'trino')}`;
  const [row] = await read(sql, signal);
  return String(row?.[0]);
}

/** Undefined where Trino refuses to tell: then no table of the schema is known to own its rows. */
async function readMaterialized(
  read: ReadRows,
  { catalog, schema, connector }: Place & { readonly connector: string },
  signal?: AbortSignal,
) {
  if (!mayMaterialize(connector)) return new Set<string>();
  try {
    return toMaterialized(await read(materializedSql(catalog, schema), signal));
  } catch (error) {
    if (!(error instanceof CandorError) || !isRefusal(error)) throw error;
    return undefined;
  }
}

// What Trino's tables are. `information_schema` calls everything a base table that is no view of Trino's own: materialised
// views, and whatever a connector found in another system, views of that system among it.

/** Connectors that keep views as views of Trino's, so that what is left are tables. Of others nobody can tell. */
const TELLS_VIEWS: ReadonlySet<string> = new Set([
  ...['hive', 'iceberg', 'delta_lake', 'hudi', 'memory', 'tpch', 'tpcds'],
]);
/** Those of them that have materialised views. */
const HAS_MATERIALIZED: ReadonlySet<string> = new Set(['iceberg']);

/** Names of schemas and tables that hold what a query made of others: materialised views and where they keep their rows. */
export type MaterializedTables = ReadonlySet<string>;

export function mayMaterialize(connector: string): boolean {
  return HAS_MATERIALIZED.has(connector);
}

export interface KindFacts {
  /** As `information_schema` has it. */
  readonly type: unknown;
  readonly connector: string;
  /** Whether a query made it; undefined where that could not be asked. */
  readonly isMaterialized: boolean | undefined;
}

export function kindOf({
  type,
  connector,
  isMaterialized,
}: KindFacts): Pick<SchemaTable, 'kind' | 'ownsRows'> {
  if (type === 'VIEW' || isMaterialized === true) return { kind: 'view' };
  const isTold = TELLS_VIEWS.has(connector) && isMaterialized === false;
  return { kind: 'table', ...(isTold && { ownsRows: true }) };
}

/** Rows of two schemas and two tables each: of the view and of where its rows are kept. */
export function materializedSql(catalog: string, schema: string | undefined): string {
  const inSchema = schema === undefined ? '' : ` AND schema_name = ${quoteText(schema, 'trino')}`;
  return `SELECT schema_name, name, storage_schema, storage_table FROM system.metadata.materialized_views
    WHERE catalog_name = ${quoteText(catalog, 'trino')}${inSchema}`;
}

export function toMaterialized(rows: Iterable<readonly unknown[]>): MaterializedTables {
  const names = new Set<string>();
  for (const [schema, name, storageSchema, storage] of rows) {
    names.add(materializedKey(schema, name));
    if (storage !== null) names.add(materializedKey(storageSchema ?? schema, storage));
  }
  return names;
}

export function materializedKey(schema: unknown, name: unknown): string {
  return `${schema}\0${name}`;
}
