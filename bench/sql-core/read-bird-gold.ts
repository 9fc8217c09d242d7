import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { requirePath } from '../../src/lab/corpus/suite-places.ts';
import { readDdl } from '../../src/lab/linking/sets/read-ddl.ts';
import type { DialectName } from '../../src/sql/dialects/dialect.ts';
import { type CoreQuery, type CoreSchema, foldLower, type QuerySet, renameAll } from './query-set.ts';
import { readTablesFile } from './read-tables-file.ts';

const DEV_ROWS = z.array(z.object({ question_id: z.number(), db_id: z.string(), SQL: z.string() }));
const TRAIN_ROW = z.object({ idx: z.number(), db_id: z.string(), SQL: z.string() });
const TRAIN_SCHEMA = z.object({ db_id: z.string(), schema: z.string() });

const DEV_FILES = {
  'bird-dev': { file: 'dev/dev.json', dialect: 'sqlite' },
  'mini-sqlite': { file: 'mini_dev/mini_dev_sqlite.json', dialect: 'sqlite' },
  'mini-mysql': { file: 'mini_dev/mini_dev_mysql.json', dialect: 'mysql' },
  'mini-postgres': { file: 'mini_dev/mini_dev_postgresql.json', dialect: 'postgres' },
} as const satisfies Record<string, { file: string; dialect: DialectName }>;

export type BirdDevSet = keyof typeof DEV_FILES;

/** Gold queries on BIRD's eleven development databases, in the dialect of the set. */
export async function readBirdDev(set: BirdDevSet, dataDirectory: string): Promise<QuerySet> {
  const { file, dialect } = DEV_FILES[set];
  const path = await requirePath(join(dataDirectory, 'bird', file), `The set ${set}`);
  const prefix = dialect === 'postgres' ? 'bird-postgres' : 'bird';
  const queries = DEV_ROWS.parse(JSON.parse(await readFile(path, 'utf8'))).map(
    (row): CoreQuery => ({
      id: `${set}-${row.question_id}`,
      set,
      dialect,
      sql: row.SQL,
      databaseId: `${prefix}:${row.db_id}`,
      runs: true,
    }),
  );
  const schemas = await readBirdDevSchemas(dataDirectory, prefix);
  if (dialect !== 'postgres') return { queries, schemas };
  // The queries write plain names in any case and quote only the others.
  const folded = schemas.map(({ databaseId, tables }) => ({
    databaseId,
    tables: renameAll(tables, foldLower),
  }));
  return { queries, schemas: folded };
}

export function readBirdDevSchemas(dataDirectory: string, prefix: string): Promise<CoreSchema[]> {
  return readTablesFile(join(dataDirectory, 'bird', 'dev', 'dev_tables.json'), prefix);
}

/** Gold queries of BIRD train; its schemas are given as DDL. */
export async function readBirdTrain(dataDirectory: string): Promise<QuerySet> {
  const folder = join(dataDirectory, 'bird', 'train');
  const rows = await readJsonLines(join(folder, 'train.jsonl'), TRAIN_ROW);
  const schemas = await readJsonLines(join(folder, 'schemas.jsonl'), TRAIN_SCHEMA);
  return {
    queries: rows.map((row) => ({
      id: `bird-train-${row.idx}`,
      set: 'bird-train',
      dialect: 'sqlite',
      sql: row.SQL,
      databaseId: `bird-train:${row.db_id}`,
      runs: true,
    })),
    schemas: schemas.map(({ db_id, schema }) => ({
      databaseId: `bird-train:${db_id}`,
      tables: readDdl(schema).tables,
    })),
  };
}

async function readJsonLines<T>(path: string, row: z.ZodType<T>): Promise<T[]> {
  const text = await readFile(await requirePath(path, 'The set bird-train'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => row.parse(JSON.parse(line)));
}
