import type { Catalog } from '../../../catalog/index.ts';
import { withoutQuotes } from '../../../sql/dialects/index.ts';
import type { Scopes } from '../../../sql/index.ts';
import { type NamedSchema, type NamedTable, writtenTables } from '../../../sql/scope/index.ts';
import { child, type SqlTree } from '../../../sql/tree/index.ts';
import type { LogInput } from '../logs/lines/log-entry.ts';
import type { UsedJoin } from '../usage.ts';
import { Recent } from './recent.ts';

/** Names that the catalog does not have and that are remembered. */
const MOST_UNKNOWN = 50_000;
const MOST_CHARACTERS = 5_000_000;

/** Tables that a log names itself, each as a statement that reads it and nothing else. */
export class TableReader {
  readonly #tables: Catalog | TableLookup;
  /** As the log spells them: no more than the catalog has, for an engine spells a name in one way. */
  readonly #known = new Map<string, ReadStatement>();
  readonly #unknown = new Recent<true>(MOST_UNKNOWN, MOST_CHARACTERS);

  constructor(tables: Catalog | TableLookup) {
    this.#tables = tables;
  }

  /** Undefined for a table that the catalog does not have. */
  read(name: string): ReadStatement | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#unknown.get(name) === true) return undefined;
    const inputs = [{ path: partsOf(name), columns: [] }];
    const [table] = findInputs(inputs, tablesMeant(this.#tables, { inputs })).tables;
    if (table === undefined) {
      this.#unknown.set(name, true);
      return undefined;
    }
    const reading = readingOf(table);
    this.#known.set(name, reading);
    return reading;
  }
}

function readingOf(table: string): ReadStatement {
  const key = `table ${table}`;
  return {
    ...{ kind: 'read', shapeKey: key, key, sql: '', isExample: false },
    ...{ tables: [table], columns: [], joins: [], unknownTables: [] },
  };
}

/** `DB.SCHEMA."My.Table"` → its three parts, without quotes. */
function partsOf(name: string): string[] {
  const parts = name.match(/"(?:[^"]|"")*"|`[^`]*`|[^.]+/g) ?? [];
  return parts.map((part) => (/^["`]/.test(part) ? withoutQuotes(part) : part));
}

/** The tables and columns behind the names of a statement, as far as they are those of the catalog. */
export interface FoundTables {
  readonly tables: ReadonlySet<string>;
  readonly columns: ReadonlySet<string>;
  /** Tables that the catalog does not have, as written. */
  readonly unknown: ReadonlySet<string>;
  /** Some name means nothing for certain. */
  readonly isOpen: boolean;
}

type Source = NonNullable<Scopes['sources'][number]>;
type SchemaTable = NonNullable<Source['table']>;

interface Place {
  readonly catalog: Catalog;
  readonly context: StatementContext;
}

/** Schemas of the engines themselves, and PostgreSQL's own tables without their schema. */
const ENGINE_SCHEMA =
  /^(?:pg_catalog|information_schema|pg_toast|pg_temp(?:_\d+)?|mysql|performance_schema|sys|system|jmx|account_usage|sqlite_master|duckdb_\w+)$/;
const ENGINE_TABLE = /^(?:pg_\w+|sqlite_\w+|information_schema\..*|.*\.information_schema\..*|dual|__\w+__)$/;

/** What the names of a parsed statement mean. */
export function findTables(resolved: Scopes, place: Place): FoundTables {
  const tables = new Set<string>();
  const unknown = new Set<string>();
  for (const source of resolved.sources) {
    if (source === undefined) continue;
    if (source.table !== undefined && isMeant(source, source.table, place)) tables.add(source.table.id);
    else if (source.table !== undefined || source.kind === 'unknown-table')
      addUnknown(unknown, source, place);
  }
  const columns = new Set<string>();
  let isOpen = false;
  for (const node of resolved.tree.nodes) {
    const reference = resolved.references[node.id];
    if (reference === undefined || node.role === 'except') continue;
    if (['unknown', 'open', 'ambiguous'].includes(reference.kind)) isOpen = true;
    // `SELECT *` says nothing about which columns matter.
    if (reference.kind === 'star') continue;
    const { physical, from } = reference.lineage;
    for (const { id, table } of [...physical, ...from]) if (tables.has(table.id)) columns.add(id);
  }
  for (const { merged } of resolved.all)
    for (const { output } of merged.values())
      for (const { id, table } of output.lineage.physical) if (tables.has(table.id)) columns.add(id);
  return { tables, columns, unknown, isOpen };
}

/**
 * The tables that the names of a statement mean, where the catalog alone would take a name for a table of another schema
 * than the log says; undefined where all is well.
 */
export function meantTables(resolved: Scopes, place: Place): NamedSchema | undefined {
  const meant = new Map<string, NamedTable>();
  let isOther = false;
  for (const source of resolved.sources) {
    if (source?.table === undefined) continue;
    const isRight = isMeant(source, source.table, place);
    isOther ||= !isRight;
    const named = tablesByName(place.catalog).get(source.table.key) ?? [];
    const table = named.find((table) =>
      isRight ? table.id === source.table?.id : isMeant(source, lowered(table), place),
    );
    if (table === undefined) continue;
    const isNear = place.context.schema?.toLowerCase() === table.schema?.toLowerCase();
    meant.set(table.id, { ...table, qualifier: isNear || table.schema === undefined ? [] : [table.schema] });
  }
  return isOther ? { tables: [...meant.values()] } : undefined;
}

/** What the engine says it read, as far as it is in the catalog. */
export function findInputs(inputs: readonly LogInput[], catalog: Catalog): FoundTables {
  const tables = new Set<string>();
  const columns = new Set<string>();
  for (const { path, columns: names } of inputs) {
    const lower = path.map((part) => part.toLowerCase());
    const table = tablesByName(catalog)
      .get(lower.at(-1) ?? '')
      ?.find(({ id, schema, catalog: around }) => {
        const isThere = schema === undefined || lower.length < 2 || schema.toLowerCase() === lower.at(-2);
        const isAround = around === undefined || lower.length < 3 || around.toLowerCase() === lower.at(-3);
        return isThere && isAround && id !== '';
      });
    if (table === undefined) continue;
    tables.add(table.id);
    const known = new Set(table.columns.map(({ id }) => id));
    for (const name of names) {
      const id = `${table.id}.${name.toLowerCase()}`;
      if (known.has(id)) columns.add(id);
    }
  }
  return { tables, columns, unknown: new Set(), isOpen: false };
}

/** A log tells the schema that a bare name is looked up in: then a table of the same name elsewhere is not meant. */
function isMeant(
  source: Source,
  table: Pick<SchemaTable, 'schema' | 'catalog'>,
  { catalog, context }: Place,
): boolean {
  // A name of BigQuery may be one quoted text with dots in it.
  const path = source.path.flatMap((part) => part.split('.'));
  const schema = path.at(-1) ?? context.schema?.toLowerCase();
  // MySQL's catalog is of one database, whose tables have no schema.
  const own = table.schema ?? (catalog.dialect === 'mysql' ? catalog.database.toLowerCase() : undefined);
  if (schema !== undefined && own !== undefined && schema !== own) return false;
  const around =
    path.at(-2) ?? (path.length > 0 || context.schema ? context.database?.toLowerCase() : undefined);
  return around === undefined || table.catalog === undefined || table.catalog === around;
}

function lowered({
  schema,
  catalog,
}: Pick<NamedTable, 'schema' | 'catalog'>): Pick<SchemaTable, 'schema' | 'catalog'> {
  return { schema: schema?.toLowerCase(), catalog: catalog?.toLowerCase() };
}

function addUnknown(unknown: Set<string>, source: Source, { context }: Place): void {
  const path = [...source.path, child(source.node, 'this')?.value?.toLowerCase() ?? ''];
  const isOfEngine =
    path.slice(0, -1).some((part) => ENGINE_SCHEMA.test(part)) || ENGINE_TABLE.test(path.at(-1) ?? '');
  if (isOfEngine) return;
  const schema = context.schema?.toLowerCase();
  unknown.add((path.length === 1 && schema !== undefined ? [schema, ...path] : path).join('.'));
}

const BY_NAME = new WeakMap<Catalog, ReadonlyMap<string, readonly Catalog['tables'][number][]>>();

function tablesByName(catalog: Catalog): ReadonlyMap<string, readonly Catalog['tables'][number][]> {
  const known = BY_NAME.get(catalog);
  if (known !== undefined) return known;
  const byName = new Map<string, Catalog['tables'][number][]>();
  for (const table of catalog.tables) {
    const name = table.name.toLowerCase();
    byName.set(name, [...(byName.get(name) ?? []), table]);
  }
  BY_NAME.set(catalog, byName);
  return byName;
}

/** What a statement of a log says about the database. */
export type ReadJoin = Pick<UsedJoin, 'leftTable' | 'rightTable' | 'on'>;

/** Ids are canonical, in order and without repeats. */
export interface ReadStatement {
  readonly kind: 'read';
  /** The same for statements that differ in their constants only. */
  readonly shapeKey: string;
  /** The same for statements that mean the same. */
  readonly key: string;
  /** As the log has it; with signs for all constants where one of them may be personal. */
  readonly sql: string;
  readonly tables: readonly string[];
  readonly columns: readonly string[];
  readonly joins: readonly ReadJoin[];
  /** Tables that the catalog does not have, as written. */
  readonly unknownTables: readonly string[];
  /** It is one query, and every name in it is known: others could learn from it. */
  readonly isExample: boolean;
}

export type StatementReading =
  | ReadStatement
  /** It changes, defines or sets something and reads nothing we count. */
  | { readonly kind: 'not-reading' }
  /** It reads none of the user's tables: `SELECT 1`, tables of the engine. */
  | { readonly kind: 'no-tables' }
  | { readonly kind: 'not-sql'; readonly line: number; readonly column: number };

/** Where the names of a statement are looked up. */
export interface StatementContext {
  readonly database?: string;
  readonly schema?: string;
}

/** Where the names of logged statements are looked up when there are too many tables for a catalog of all. */
export interface TableLookup extends Pick<Catalog, 'dialect' | 'database'> {
  /** A catalog with every table that one of the names may mean: bare, or with what stands before it, in any case. */
  catalogFor(names: ReadonlySet<string>): Catalog;
}

export interface NamingStatement {
  readonly tree?: SqlTree;
  readonly inputs?: readonly LogInput[];
  readonly context?: StatementContext;
}

/** The tables that a statement may mean: all there are, or those that its names lead to. */
export function tablesMeant(
  tables: Catalog | TableLookup,
  { tree, inputs = [], context = {} }: NamingStatement,
): Catalog {
  if (!('catalogFor' in tables)) return tables;
  const names = new Set(inputs.map(({ path }) => path.join('.')));
  for (const name of tree === undefined ? [] : writtenTables(tree)) {
    names.add(name);
    // Of many tables of one name the one in the schema of the log is meant.
    if (!name.includes('.') && context.schema !== undefined) names.add(`${context.schema}.${name}`);
  }
  return tables.catalogFor(names);
}
