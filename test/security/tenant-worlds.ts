/** The database of both tenants behind the guard, beside one that holds what the first may see and nothing else. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { outlineCatalog } from '../../src/catalog/index.ts';
import type { VisibleCatalog } from '../../src/database/guard/access-policy.ts';
import { connect, type Database, guarded } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import type { Cell } from '../../src/sql/dialects/index.ts';
import { TRAITS, type Traits } from './queries/writing.ts';
import { readingTables } from './reading-tables.ts';
import {
  creationOf,
  FOREIGN,
  PROPERTIES,
  policyOf,
  SECRET,
  type TenantTable,
  twoTenants,
} from './two-tenants.ts';

export interface TenantWorlds {
  readonly tables: readonly TenantTable[];
  /** All rows, guarded for the first tenant. */
  readonly shared: Database;
  /** Its rows alone, with masked values. */
  readonly own: Database;
  revive(): Promise<void>;
  close(): Promise<void>;
}

/** Where the two databases of a dialect lie; what makes them is run by whoever may write. */
export interface TenantPlaces {
  readonly sharedUrl: string;
  readonly ownUrl: string;
  /** Starts a server again that a query has killed; embedded engines do so themselves. */
  revive(): Promise<void>;
  remove(): Promise<void>;
}

export async function openWorlds(dialect: Traits['dialect'], places: TenantPlaces): Promise<TenantWorlds> {
  const base = twoTenants(TRAITS[dialect].quote);
  const tables = [...base, ...readingTables(dialect, base)];
  const [shared, own] = [await connect(places.sharedUrl), await connect(places.ownUrl)];
  return {
    tables,
    shared: guarded(shared, {
      kind: 'caller-queries',
      catalog: await catalogIn(shared, dialect),
      policy: policyOf(tables),
      properties: PROPERTIES,
    }),
    own: guarded(own, { kind: 'own-queries' }),
    revive: () => places.revive(),
    close: async () => {
      await Promise.all([shared.close(), own.close()]);
      await places.remove();
    },
  };
}

/** As the engine tells it: what a table is must come from there. DuckDB's schema of bare names is written, too. */
async function catalogIn(database: Database, dialect: Traits['dialect']): Promise<VisibleCatalog> {
  const { tables } = await outlineCatalog(guarded(database, { kind: 'own-queries' }));
  if (dialect !== 'duckdb') return { tables };
  return { tables: tables.map((table) => ({ schema: TRAITS.duckdb.schema, ...table })) };
}

/** The two databases as files of an embedded engine. */
export async function makeTenantFiles(dialect: 'sqlite' | 'duckdb'): Promise<TenantPlaces> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-tenants-'));
  const base = twoTenants('"');
  const tables = [...base, ...readingTables(dialect, base)];
  for (const world of ['shared', 'own'] as const) {
    const statements = creationOf(tables, { quote: '"', isWhole: world === 'shared' });
    await RUNNERS[dialect](join(folder, world), statements);
  }
  const remove = async (): Promise<void> => rmSync(folder, { recursive: true, force: true });
  const revive = async (): Promise<void> => {};
  return { sharedUrl: `${dialect}:${folder}/shared`, ownUrl: `${dialect}:${folder}/own`, revive, remove };
}

const RUNNERS = {
  sqlite: async (path: string, statements: readonly string[]): Promise<void> => {
    const database = new DatabaseSync(path);
    for (const sql of statements) database.exec(sql);
    database.close();
  },
  duckdb: async (path: string, statements: readonly string[]): Promise<void> => {
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    for (const sql of statements) await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
  },
} as const;

export type Verdict =
  /** Both databases gave the same rows, under the same names. */
  | { readonly kind: 'same'; readonly rows: number }
  /** Neither engine can run it. */
  | { readonly kind: 'no-query'; readonly message: string }
  /** The guard refused what the engine could run. */
  | { readonly kind: 'refused'; readonly cause: string }
  /** The rows or the names differ, or one engine failed. */
  | { readonly kind: 'different'; readonly why: string }
  /** A text of the other tenant or one that is masked came out. */
  | { readonly kind: 'leaked'; readonly why: string };

const LIMITS = { rows: 50_000, bytes: 50_000_000, timeoutMs: 8_000 };
const DIED: ReadonlySet<string> = new Set(['database.connection-lost', 'database.unreachable']);
const REFUSALS = /^(?:database\.(?:not-|policy-|too-)|sql\.)/;

/** Runs one query in both databases and compares what comes out, as bags of rows. */
export async function compareWorlds(worlds: TenantWorlds, sql: string): Promise<Verdict> {
  const expected = await rowsOf(worlds.own, sql);
  if (!expected.ok && DIED.has(expected.code)) {
    await worlds.revive();
    return { kind: 'no-query', message: `the engine died of it: ${sql}` };
  }
  const found = await rowsOf(worlds.shared, sql);
  if (!found.ok && hasMarker(found.message, sql)) return { kind: 'leaked', why: found.message };
  if (!expected.ok) {
    if (found.ok && hasForeignMarker(found.rows, sql)) return { kind: 'leaked', why: 'a marked text' };
    return { kind: 'no-query', message: expected.message };
  }
  if (!found.ok) {
    return REFUSALS.test(found.code)
      ? { kind: 'refused', cause: `${found.code}: ${found.message}` }
      : { kind: 'different', why: `${found.code}: ${found.message}` };
  }
  if (JSON.stringify(found.columns) !== JSON.stringify(expected.columns))
    return { kind: 'different', why: `headers ${found.columns} for ${expected.columns}` };
  const isSame = JSON.stringify(found.rows) === JSON.stringify(expected.rows);
  if (isSame) return { kind: 'same', rows: found.rows.length };
  if (hasForeignMarker(found.rows, sql)) return { kind: 'leaked', why: 'a marked text' };
  return { kind: 'different', why: `${found.rows.length} rows for ${expected.rows.length}` };
}

type Ran =
  | { readonly ok: true; readonly columns: readonly string[]; readonly rows: readonly string[] }
  | { readonly ok: false; readonly code: string; readonly message: string };

async function rowsOf(database: Database, sql: string): Promise<Ran> {
  try {
    const { columns, rows } = await database.query(sql, LIMITS);
    return { ok: true, columns, rows: rows.map(textOf).sort() };
  } catch (error) {
    if (!(error instanceof CandorError)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
}

function textOf(row: readonly Cell[]): string {
  return JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** What the query itself says may stand in its result. */
function hasForeignMarker(rows: readonly string[], sql: string): boolean {
  return rows.some((row) => hasMarker(row, sql));
}

function hasMarker(text: string, sql: string): boolean {
  const words = text.match(new RegExp(`(?:${FOREIGN}|${SECRET})[ \\w]*`, 'gi')) ?? [];
  return words.some((word) => !sql.toLowerCase().includes(word.toLowerCase().trim()));
}
