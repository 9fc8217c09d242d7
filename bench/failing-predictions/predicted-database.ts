/** A database that systems wrote queries for, opened for all that the bench does with it. */
import { join } from 'node:path';
import { type Catalog, outlineCatalog } from '../../src/catalog/index.ts';
import { connect, type Database, guarded } from '../../src/database/index.ts';
import { prepareSchemaFacts, type SchemaFacts } from '../../src/faults/index.ts';
import type { LinkDatabase } from '../../src/lab/linking/index.ts';
import { readStoredValues } from '../../src/lab/uncertainty/data/read-rows.ts';
import { writeName } from '../../src/sql/dialects/index.ts';
import { openPlanner, type Planner } from './open-planner.ts';

export interface PredictedDatabase {
  readonly name: string;
  readonly catalog: Catalog;
  readonly schema: SchemaFacts;
  readonly planner: Planner;
  /** Where it has rows. */
  readonly databaseUrl?: string;
}

/**
 * Names are judged by the schema of the file where there is one, else by the schema that the set describes. A file of
 * Spider differs from its description now and then: then the file is right, and keys are those of both.
 */
export async function openPredicted({
  name,
  catalog,
  databaseUrl,
}: LinkDatabase): Promise<PredictedDatabase> {
  if (databaseUrl === undefined)
    return { name, catalog, schema: prepareSchemaFacts(catalog), planner: openPlanner(catalog, undefined) };
  const held = withKeys(await outlineOf(databaseUrl), catalog);
  const stored = await readStoredValues({ name, catalog: held, databaseUrl });
  return {
    name,
    catalog: held,
    schema: prepareSchemaFacts(held, stored === undefined ? {} : { stored }),
    planner: openPlanner(held, databaseUrl.replace(/^sqlite:/, '')),
    databaseUrl,
  };
}

async function outlineOf(databaseUrl: string): Promise<Catalog> {
  const database = guarded(await connect(databaseUrl), { kind: 'own-queries' });
  try {
    return await withNullCounts(await outlineCatalog(database), database);
  } finally {
    await database.close();
  }
}

const LIMITS = { rows: 1, bytes: 1_000_000, timeoutMs: 60_000 };

/** Rules ask a profile for how many NULLs a column has; its values they ask of what is stored. */
async function withNullCounts(catalog: Catalog, database: Database): Promise<Catalog> {
  const tables = [];
  for (const table of catalog.tables) {
    const counts = table.columns.map(({ name }) => `COUNT(${writeName(name, catalog.dialect)})`).join(', ');
    const sql = `SELECT COUNT(*), ${counts} FROM ${writeName(table.name, catalog.dialect)}`;
    const { rows } = await database.query(sql, LIMITS);
    const [scannedRows = 0, ...filled] = (rows[0] ?? []).map(Number);
    const columns = table.columns.map((column, at) => {
      const nullCount = scannedRows - (filled[at] ?? scannedRows);
      return { ...column, profile: { scannedRows, nullCount, distinctCount: 0, examples: [] } };
    });
    tables.push({ ...table, columns });
  }
  return { ...catalog, tables };
}

function withKeys(held: Catalog, described: Catalog): Catalog {
  const columns = new Set(held.tables.flatMap((table) => table.columns.map(({ id }) => id)));
  const known = new Set(held.foreignKeys.map(({ fromColumns, toColumns }) => `${fromColumns}>${toColumns}`));
  const added = described.foreignKeys.filter(
    ({ fromColumns, toColumns }) =>
      !known.has(`${fromColumns}>${toColumns}`) &&
      [...fromColumns, ...toColumns].every((id) => columns.has(id)),
  );
  return { ...held, foreignKeys: [...held.foreignKeys, ...added] };
}

/** Where BIRD's proxies lie: two databases rebuilt from public sources. */
export function proxyFile(dataDirectory: string, name: string): string {
  return join(dataDirectory, 'bird', 'databases_proxy', name, `${name}.sqlite`);
}
