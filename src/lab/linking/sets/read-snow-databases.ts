/** Spider2-Snow: 75 databases of a warehouse with their questions and the tables these need. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { Catalog } from '../../../catalog/index.ts';
import { requirePath } from '../../corpus/suite-places.ts';
import { buildCatalog, type DescribedTable } from './build-catalog.ts';
import { readJsonLines } from './read-json-lines.ts';

const QUESTION = z.object({
  instance_id: z.string(),
  instruction: z.string(),
  db_id: z.string(),
  external_knowledge: z.string().nullish(),
});
const GOLD = z.object({ instance_id: z.string(), gold_tables: z.array(z.string()) });
const TABLE = z.object({
  db: z.string(),
  schema: z.string(),
  table: z.string(),
  full: z.string(),
  columns: z.array(z.string()),
  types: z.array(z.string().nullable()),
  descriptions: z.array(z.string().nullable()),
  samples: z.record(z.string(), z.array(z.string())),
});

export interface SnowQuestion {
  readonly id: string;
  readonly text: string;
  readonly database: string;
  /** Canonical ids. */
  readonly gold: readonly string[];
  /** Name of a document that comes with it. */
  readonly document?: string;
}

export interface SnowDatabases {
  readonly catalogs: ReadonlyMap<string, Catalog>;
  readonly questions: readonly SnowQuestion[];
  readonly documentsFolder: string;
}

/** Databases whose names are given, or all. Throws `eval.data-missing`. */
export async function readSnowDatabases(
  dataDirectory: string,
  only?: ReadonlySet<string>,
): Promise<SnowDatabases> {
  const folder = join(dataDirectory, 'spider2_snow');
  const gold = new Map(
    (await readJsonLines(join(folder, 'gold-tables.jsonl'), GOLD)).map((row) => [
      row.instance_id,
      row.gold_tables,
    ]),
  );
  const tables = await readTables(join(folder, 'schema.jsonl.gz'), only);
  const idOf = new Map<string, string>();
  const catalogs = new Map<string, Catalog>();
  for (const [database, described] of tables) {
    const catalog = buildCatalog(database, 'snowflake', {
      tables: described.map(({ table }) => table),
      keys: [],
    });
    catalogs.set(database, catalog);
    for (const [at, { full }] of described.entries()) idOf.set(full.toUpperCase(), catalog.tables[at]!.id);
  }
  const questions = (await readJsonLines(join(folder, 'questions.jsonl'), QUESTION))
    .filter(({ db_id }) => only?.has(db_id) ?? true)
    .map(({ instance_id, instruction, db_id, external_knowledge }) => ({
      id: instance_id,
      text: instruction,
      database: db_id,
      gold: (gold.get(instance_id) ?? []).flatMap((full) => idOf.get(full.toUpperCase()) ?? []),
      ...(external_knowledge ? { document: external_knowledge } : {}),
    }));
  return { catalogs, questions, documentsFolder: join(folder, 'documents') };
}

interface FullTable {
  /** As the gold tables are written. */
  readonly full: string;
  readonly table: DescribedTable;
}

async function readTables(
  path: string,
  only?: ReadonlySet<string>,
): Promise<ReadonlyMap<string, FullTable[]>> {
  const packed = await readFile(await requirePath(path, 'The schema of Spider2-Snow'));
  const databases = new Map<string, FullTable[]>();
  for (const line of gunzipSync(packed).toString('utf8').split('\n')) {
    const database = /^\{"db": "([^"]*)"/.exec(line)?.[1];
    // Most of a line is sample values: look before parsing.
    if (database === undefined || (only !== undefined && !only.has(database))) continue;
    const list = databases.get(database) ?? [];
    databases.set(database, list);
    list.push(readTable(TABLE.parse(JSON.parse(line))));
  }
  return databases;
}

function readTable(row: z.infer<typeof TABLE>): FullTable {
  // Some names of tables repeat their schema: `WWE.BELTS` in the schema WWE.
  const name = row.table.startsWith(`${row.schema}.`) ? row.table.slice(row.schema.length + 1) : row.table;
  const columns = row.columns.map((column, at) => ({
    name: column,
    type: row.types[at] ?? '',
    comment: row.descriptions[at] ?? '',
    examples: row.samples[column] ?? [],
  }));
  const place = { catalog: row.db, schema: row.schema };
  return { full: row.full, table: { name, place, columns, primaryKey: [] } };
}
