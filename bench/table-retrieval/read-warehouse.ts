/** The 75 databases of Spider2-Snow as one catalog, with the questions and the tables they need. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { Catalog, Table } from '../../src/catalog/index.ts';
import { requirePath } from '../../src/lab/corpus/suite-places.ts';

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
});

export interface WarehouseQuestion {
  readonly id: string;
  readonly text: string;
  readonly database: string;
  /** Canonical ids. */
  readonly gold: readonly string[];
  /** Name of a document that comes with it. */
  readonly document?: string;
}

export interface Warehouse {
  readonly catalog: Catalog;
  readonly questions: readonly WarehouseQuestion[];
  /** Ids of the tables of each database. */
  readonly tablesOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly documentsFolder: string;
}

/** Databases whose names are given, or all. */
export async function readWarehouse(dataDirectory: string, only?: ReadonlySet<string>): Promise<Warehouse> {
  const folder = join(dataDirectory, 'spider2_snow');
  const read = async (name: string): Promise<Buffer> =>
    readFile(await requirePath(join(folder, name), 'The set spider2-snow'));
  const gold = new Map(
    lines(await read('gold-tables.jsonl')).map((line) => {
      const row = GOLD.parse(JSON.parse(line));
      return [row.instance_id, row.gold_tables];
    }),
  );
  const tables = readTables(gunzipSync(await read('schema.jsonl.gz')), only);
  const idOf = new Map(tables.map(({ full, table }) => [full.toUpperCase(), table.id]));
  const questions = lines(await read('questions.jsonl'))
    .map((line) => QUESTION.parse(JSON.parse(line)))
    .filter(({ db_id }) => only?.has(db_id) ?? true)
    .map(({ instance_id, instruction, db_id, external_knowledge }) => ({
      id: instance_id,
      text: instruction,
      database: db_id,
      gold: (gold.get(instance_id) ?? []).flatMap((full) => idOf.get(full.toUpperCase()) ?? []),
      ...(external_knowledge ? { document: external_knowledge } : {}),
    }));
  const tablesOf = new Map<string, Set<string>>();
  for (const { db, table } of tables) tablesOf.set(db, (tablesOf.get(db) ?? new Set()).add(table.id));
  return {
    catalog: {
      database: 'warehouse',
      dialect: 'snowflake',
      tables: tables.map(({ table }) => table),
      foreignKeys: [],
      fingerprint: 'spider2-snow',
    },
    questions,
    tablesOf,
    documentsFolder: join(folder, 'documents'),
  };
}

function readTables(
  text: Buffer,
  only: ReadonlySet<string> | undefined,
): { readonly db: string; readonly full: string; readonly table: Table }[] {
  return lines(text).flatMap((line) => {
    const database = /^\{"db": "([^"]*)"/.exec(line)?.[1] ?? '';
    // Most of a line is sample values: look before parsing.
    if (only !== undefined && !only.has(database)) return [];
    const row = TABLE.parse(JSON.parse(line));
    // Some names of tables repeat their schema: `WWE.BELTS` in the schema WWE.
    const name = row.table.startsWith(`${row.schema}.`) ? row.table.slice(row.schema.length + 1) : row.table;
    const id = `${row.db}.${row.schema}.${name}`.toLowerCase();
    const columns = row.columns.map((column, at) => {
      const comment = row.descriptions[at];
      return {
        id: `${id}.${column.toLowerCase()}`,
        tableId: id,
        name: column,
        type: row.types[at] ?? '',
        family: 'other' as const,
        isNullable: true,
        ...(comment ? { comment } : {}),
      };
    });
    const { db, full, schema } = row;
    const place = { schema, catalog: db, qualifier: [db, schema] };
    const table = { id, name, ...place, kind: 'table' as const, columns, primaryKey: [], rowCount: 0 };
    return [{ db, full, table }];
  });
}

function lines(text: Buffer): string[] {
  return text
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}
