/**
 * Reads the catalogs of a server beside one another, each in one go where it can be had and else schema by schema: what
 * is down, closed to the account or too slow is left out with its reason and takes nothing from the others.
 */

import { CandorError } from '../../errors.ts';
import { compareText } from '../../lib/index.ts';
import { quoteName, quoteText } from '../../sql/dialects/index.ts';
import { inParallel } from '../http/in-parallel.ts';
import type { SchemaLeftOut } from '../interface/database.ts';
import type { ScopeReader } from '../interface/table-scope.ts';

/** Runs a query and hands over its rows one by one, so that no list of all columns is ever built twice. */
export type ForEachRow = (sql: string, onRow: (row: readonly unknown[]) => void) => Promise<void>;
/** Runs statements in a read-only transaction of their own: one that fails spoils no other. */
export type InTransaction = <T>(
  timeoutMs: number,
  read: (forEachRow: ForEachRow) => Promise<T>,
) => Promise<T>;

export interface TrinoScope {
  /** All catalogs but `system` when absent. */
  readonly catalog: string | undefined;
  /** All schemas of the catalog when absent. */
  readonly schema: string | undefined;
  /** Of names as they are written: with the catalog where the URL names none, and so on. */
  readonly tables: ScopeReader;
}

/** What one statement reads: a schema, or a catalog whole. */
export interface TrinoPart {
  readonly catalog: string;
  /** As `iceberg`: what is behind the catalog. */
  readonly connector: string;
  readonly schema: string | undefined;
  /** Schemas that are not wanted of a whole catalog. */
  readonly without: readonly string[];
}

export interface PartsRead<T> {
  /** In the order of catalogs and schemas. */
  readonly found: readonly { readonly part: TrinoPart; readonly value: T }[];
  readonly leftOut: readonly SchemaLeftOut[];
}

/** Statements that a server is asked at once: enough to hide its slow catalogs, few enough to be no burden. */
export const STATEMENTS_AT_ONCE = 4;
const LIST_TIMEOUT_MS = 60_000;
const CATALOG_TIMEOUT_MS = 120_000;
const SCHEMA_TIMEOUT_MS = 60_000;
/** A catalog that fails as a whole is read schema by schema for so long. */
const CATALOG_BUDGET_MS = 300_000;

interface OpenCatalog extends TrinoPart {
  readonly schemas: readonly string[];
  /** So few schemas are wanted that a statement over the whole catalog would mostly read others. */
  readonly isPartial: boolean;
}

type Outcome<T> =
  | { readonly part: TrinoPart; readonly value: T; readonly error?: undefined }
  | { readonly part: TrinoPart; readonly error: CandorError };

/** Throws what ends the connection, and the first refusal where nothing at all could be read. */
export async function readParts<T>(
  inTransaction: InTransaction,
  scope: TrinoScope,
  read: (part: TrinoPart, forEachRow: ForEachRow) => Promise<T>,
): Promise<PartsRead<T>> {
  const started = performance.now();
  const attempt = (part: TrinoPart, timeoutMs: number): Promise<Outcome<T>> =>
    orRefusal(part, () => inTransaction(timeoutMs, (forEachRow) => read(part, forEachRow)));
  const listed = await listParts(inTransaction, scope);
  const catalogs = listed.flatMap((outcome) => (outcome.error === undefined ? [outcome.value] : []));
  const whole = catalogs.filter(({ isPartial }) => !isPartial);
  const first = await inParallel(whole, STATEMENTS_AT_ONCE, (catalog) =>
    attempt({ ...catalog, schema: undefined }, CATALOG_TIMEOUT_MS),
  );
  const hasFailed = new Set(first.flatMap(({ part, error }) => (error === undefined ? [] : [part.catalog])));
  const parts = catalogs
    .filter(({ catalog, isPartial }) => isPartial || hasFailed.has(catalog))
    .flatMap(({ catalog, connector, schemas }) =>
      schemas.map((schema): TrinoPart => ({ catalog, connector, schema, without: [] })),
    );
  const second = await inParallel(parts, STATEMENTS_AT_ONCE, (part): Promise<Outcome<T>> => {
    const isLate = hasFailed.has(part.catalog) && performance.now() - started > CATALOG_BUDGET_MS;
    return isLate ? Promise.resolve({ part, error: tooLate(part) }) : attempt(part, SCHEMA_TIMEOUT_MS);
  });
  const found = [...first, ...second].flatMap((outcome) =>
    outcome.error === undefined ? [{ part: outcome.part, value: outcome.value }] : [],
  );
  const refused = [...listed, ...second].filter((outcome) => outcome.error !== undefined);
  if (found.length === 0 && refused[0]?.error !== undefined) throw refused[0].error;
  const sizes = new Map(catalogs.map(({ catalog, schemas }) => [catalog, schemas.length]));
  return { found: found.sort((a, b) => comparePlaces(a.part, b.part)), leftOut: explain(refused, sizes) };
}

/** Catalogs of the scope with their schemas, or why these cannot be listed. */
async function listParts(
  inTransaction: InTransaction,
  scope: TrinoScope,
): Promise<(Outcome<OpenCatalog> & { part: TrinoPart })[]> {
  const catalogs: TrinoPart[] = [];
  const only = scope.catalog === undefined ? '' : ` AND catalog_name = ${quoteText(scope.catalog, 'trino')}`;
  const sql = `SELECT catalog_name, connector_name FROM system.metadata.catalogs
    WHERE catalog_name <> 'system'${only} ORDER BY 1`;
  await inTransaction(LIST_TIMEOUT_MS, (forEachRow) =>
    forEachRow(sql, ([name, connector]) =>
      catalogs.push({
        ...{ catalog: String(name), connector: String(connector) },
        ...{ schema: undefined, without: [] },
      }),
    ),
  );
  const wanted = catalogs.filter(
    ({ catalog }) => scope.catalog !== undefined || scope.tables.mayHold([catalog]),
  );
  return inParallel(wanted, STATEMENTS_AT_ONCE, (part) =>
    orRefusal(part, async () => {
      const schemas = await listSchemas(inTransaction, part, scope);
      const kept = schemas.filter((schema) => maySchemaHold(scope, part.catalog, schema));
      return {
        ...part,
        schemas: kept,
        without: schemas.filter((schema) => !kept.includes(schema)),
        isPartial: scope.schema !== undefined || kept.length * 2 < schemas.length,
      };
    }),
  );
}

async function listSchemas(
  inTransaction: InTransaction,
  { catalog }: TrinoPart,
  scope: TrinoScope,
): Promise<string[]> {
  if (scope.schema !== undefined) return [scope.schema.toLowerCase()];
  const schemas: string[] = [];
  await inTransaction(LIST_TIMEOUT_MS, (forEachRow) =>
    forEachRow(
      `SELECT schema_name FROM ${quoteName(catalog, 'trino')}.information_schema.schemata
       WHERE schema_name <> 'information_schema' ORDER BY 1`,
      ([name]) => schemas.push(String(name)),
    ),
  );
  return schemas;
}

function maySchemaHold(scope: TrinoScope, catalog: string, schema: string): boolean {
  if (scope.schema !== undefined) return true;
  return scope.tables.mayHold(scope.catalog === undefined ? [catalog, schema] : [schema]);
}

/** What the server says of this part alone is an outcome; that it is gone, or the caller is, ends everything. */
async function orRefusal<T>(part: TrinoPart, work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { part, value: await work() };
  } catch (error) {
    if (error instanceof CandorError && isRefusal(error)) return { part, error };
    throw error;
  }
}

/** Whether the server speaks of what it was asked, and not of itself or of the login. */
export function isRefusal({ code, data }: CandorError): boolean {
  if (code === 'database.timeout') return true;
  const isOfServer = /\.(?:cancelled|unreachable|overloaded)$/.test(code);
  return data.engineCode !== undefined && !isOfServer;
}

function tooLate(part: TrinoPart): CandorError {
  const seconds = CATALOG_BUDGET_MS / 1000;
  return new CandorError('database.timeout', `the catalog ${part.catalog} was not read within ${seconds} s`);
}

/** One entry for a catalog of which nothing could be read, else one for each schema. */
function explain(
  refused: readonly { readonly part: TrinoPart; readonly error?: CandorError | undefined }[],
  sizes: ReadonlyMap<string, number>,
): SchemaLeftOut[] {
  const counts = new Map<string, number>();
  for (const { part } of refused) counts.set(part.catalog, (counts.get(part.catalog) ?? 0) + 1);
  const named = new Set<string>();
  return refused.flatMap(({ part: { catalog, schema }, error }) => {
    const isWhole = schema === undefined || counts.get(catalog) === sizes.get(catalog);
    const name = isWhole ? `the catalog ${catalog}` : `${catalog}.${schema}`;
    if (named.has(name)) return [];
    named.add(name);
    return [{ name, because: error?.message ?? '' }];
  });
}

function comparePlaces(a: TrinoPart, b: TrinoPart): number {
  const [left, right] = [a, b].map(({ catalog, schema }) => [catalog, schema ?? '']);
  return compareText(left?.[0] ?? '', right?.[0] ?? '') || compareText(left?.[1] ?? '', right?.[1] ?? '');
}

/** Statistics are told where they can be had; everything else about the tables is known by then. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof CandorError && isRefusal(error)) return null;
  throw error;
}
