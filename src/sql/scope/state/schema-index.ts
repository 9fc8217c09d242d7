/** A schema prepared once for look-up of tables and columns. */
import { createColumns } from './columns.ts';
import { physicalLineage } from './lineage.ts';
import type { NameRules } from './name-rules.ts';
import type { Columns, Output, SchemaColumn, SchemaIndex, SchemaTable } from './scope.ts';

/** The part of a catalog that names are resolved against; ids are canonical, names as the engine spells them. */
export interface NamedSchema {
  readonly tables: readonly NamedTable[];
  /** What the database itself made and a query may name beside tables; absent where nobody looked. */
  readonly ownNames?: OwnNames | undefined;
  /** Where tables stand that do not say it; absent where nobody looked. */
  readonly home?: Home | undefined;
}

/** The database and schema of a connection, as the engine spells them: names that may stand before a table's own. */
export interface Home {
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
}

/** Names of PostgreSQL that the guard would take for calls and casts, were they not known to be data. */
export interface OwnNames {
  /** Fields of composite types and of rows, as spelled, that no function with one argument is called like. */
  readonly fields: readonly string[];
  /** Enum types, as spelled: with their schema, and without it where a bare name means them. */
  readonly types: readonly string[];
}

export interface NamedTable {
  readonly id: string;
  readonly name: string;
  readonly schema?: string | undefined;
  readonly catalog?: string | undefined;
  /** Names to write before its own, outermost first; absent or empty where its name alone reaches it. */
  readonly qualifier?: readonly string[] | undefined;
  readonly columns: readonly NamedColumn[];
}

export interface NamedColumn {
  readonly id: string;
  readonly name: string;
  /** As declared, e.g. `VARCHAR(20)`. */
  readonly type?: string | undefined;
}

const INDEXES = new WeakMap<NamedSchema, SchemaIndex>();

/** The table of an id, exactly as the schema has it. */
export function tableOfId(schema: NamedSchema, id: string): NamedTable | undefined {
  let byId = NAMED.get(schema);
  if (byId === undefined) {
    byId = new Map();
    for (const named of schema.tables) if (!byId.has(named.id)) byId.set(named.id, named);
    NAMED.set(schema, byId);
  }
  return byId.get(id);
}

const NAMED = new WeakMap<NamedSchema, Map<string, NamedTable>>();

/** The index of a schema; built at the first call with this object, which must not change afterwards. */
export function indexSchema(schema: NamedSchema): SchemaIndex {
  const known = INDEXES.get(schema);
  if (known !== undefined) return known;
  const index = buildIndex(schema);
  INDEXES.set(schema, index);
  return index;
}

function buildIndex(schema: NamedSchema): SchemaIndex {
  const tables = schema.tables.map(buildTable);
  const byName = new Map<string, SchemaTable[]>();
  const byId = new Map<string, SchemaTable>();
  const columnsByName = new Map<string, SchemaColumn[]>();
  for (const table of tables) {
    add(byName, table.key, table);
    byId.set(table.id.toLowerCase(), table);
    for (const { key, origin } of table.columns.list) {
      if (key !== undefined && origin.kind === 'schema') add(columnsByName, key, origin.column);
    }
  }
  return { tables, byName, byId, columnsByName };
}

function buildTable(named: NamedTable): SchemaTable {
  const columns: Output[] = [];
  const table = {
    id: named.id,
    name: named.name,
    key: named.name.toLowerCase(),
    schema: named.schema?.toLowerCase(),
    catalog: named.catalog?.toLowerCase(),
    qualifier: (named.qualifier ?? []).join('.').toLowerCase(),
    columns: undefined as Columns | undefined,
  };
  // A column names its table and the table its columns, so one of them is completed last.
  const complete = table as SchemaTable;
  for (const { id, name, type } of named.columns) {
    const column: SchemaColumn = { id, name, type, table: complete };
    const origin = { kind: 'schema' as const, column };
    columns.push({ name, key: name.toLowerCase(), lineage: physicalLineage(column), origin });
  }
  table.columns = createColumns(columns);
  return complete;
}

function add<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** The table that a path of lower-case names means: catalog, schema and name, or the last of them. */
export function findTable(
  index: SchemaIndex,
  path: readonly string[],
  rules: NameRules,
): SchemaTable | undefined {
  const name = path.at(-1) ?? '';
  const named = index.byName.get(name) ?? [];
  const matching = named.filter((table) => isAt(table, path, rules));
  if (matching.length > 1) {
    // The engine's search path comes before what is usual: a bare name means the table that needs no qualifier.
    const before = path.slice(0, -1).join('.');
    const reached = matching.filter((table) => table.qualifier === before);
    const nearest = reached.length > 0 ? reached : matching;
    return nearest.find((table) => rules.defaultSchemas.has(table.schema ?? '')) ?? nearest[0];
  }
  if (matching.length === 1) return matching[0];
  if (rules.hasWildcardTables && name.endsWith('*')) return findByPrefix(index, path, rules);
  return path.length > 1 ? index.byId.get(path.join('.')) : undefined;
}

/** A part of the path that the schema says nothing about fits, unless the engine has fixed schemas. */
function isAt(
  { schema, catalog }: SchemaTable,
  path: readonly string[],
  { fixedSchemas }: NameRules,
): boolean {
  const wantedSchema = path.at(-2);
  const wantedCatalog = path.at(-3);
  if (wantedSchema === undefined) return true;
  const isThere = schema === undefined ? (fixedSchemas?.has(wantedSchema) ?? true) : schema === wantedSchema;
  return isThere && (wantedCatalog === undefined || catalog === undefined || catalog === wantedCatalog);
}

/** `events_*` of BigQuery reads many tables of one shape; the first stands for them. */
function findByPrefix(
  index: SchemaIndex,
  path: readonly string[],
  rules: NameRules,
): SchemaTable | undefined {
  const prefix = (path.at(-1) ?? '').slice(0, -1);
  return index.tables.find((table) => table.key.startsWith(prefix) && isAt(table, path, rules));
}
