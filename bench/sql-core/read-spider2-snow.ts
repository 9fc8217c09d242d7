import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { requirePath } from '../../src/lab/corpus/suite-places.ts';
import type { CoreQuery, CoreSchema, CoreTable, QuerySet } from './query-set.ts';

/** Two sets of gold SQL for the same questions, by different hands. */
const FOLDERS = ['gold_sql_120_official', 'gold_sql_121'];

const QUESTION = z.object({ instance_id: z.string(), db_id: z.string() });
const TABLE = z.object({
  db: z.string(),
  schema: z.string(),
  table: z.string(),
  columns: z.array(z.string()),
  types: z.array(z.string().nullable()),
});

/** Gold SQL of Spider2-Snow with the schemas of the databases it asks. */
export async function readSpider2Snow(dataDirectory: string): Promise<QuerySet> {
  const folder = join(dataDirectory, 'spider2_snow');
  const questions = (
    await readFile(await requirePath(join(folder, 'questions.jsonl'), 'The set spider2-snow'), 'utf8')
  )
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => QUESTION.parse(JSON.parse(line)));
  const databaseOf = new Map(questions.map((question) => [question.instance_id, question.db_id]));
  const queries = (
    await Promise.all(FOLDERS.map((name) => readFolder(join(folder, name), name, databaseOf)))
  ).flat();
  const databases = new Set(queries.map((query) => query.databaseId));
  return { queries, schemas: await readSchemas(join(folder, 'schema.jsonl.gz'), databases) };
}

async function readFolder(
  folder: string,
  name: string,
  databaseOf: ReadonlyMap<string, string>,
): Promise<CoreQuery[]> {
  const files = (await readdir(await requirePath(folder, 'The gold SQL'))).filter((file) =>
    file.endsWith('.sql'),
  );
  return Promise.all(
    files.sort().map(async (file) => {
      const id = file.replace(/\.sql$/, '');
      return {
        id: `${id}-${name}`,
        set: 'spider2-snow',
        dialect: 'snowflake' as const,
        sql: await readFile(join(folder, file), 'utf8'),
        databaseId: `snow:${databaseOf.get(id) ?? ''}`,
        runs: true,
      };
    }),
  );
}

async function readSchemas(path: string, wanted: ReadonlySet<string>): Promise<CoreSchema[]> {
  const packed = await readFile(await requirePath(path, 'The schema of Spider2-Snow'));
  const tables = new Map<string, CoreTable[]>([...wanted].map((databaseId) => [databaseId, []]));
  for (const line of gunzipSync(packed).toString('utf8').split('\n')) {
    // Most of the file is sample values of other databases: look before parsing.
    const database = /^\{"db": "([^"]*)"/.exec(line)?.[1];
    const found = database === undefined ? undefined : tables.get(`snow:${database}`);
    if (found === undefined) continue;
    const row = TABLE.parse(JSON.parse(line));
    found.push({
      name: nameAlone(row),
      qualifier: [row.db, row.schema],
      columns: row.columns.map((name, index) => ({ name, type: row.types[index] ?? '' })),
    });
  }
  return [...tables].map(([databaseId, list]) => ({ databaseId, tables: list }));
}

/** Some names of tables repeat their schema: `WWE.BELTS` in the schema WWE. */
function nameAlone({ schema, table }: z.infer<typeof TABLE>): string {
  return table.startsWith(`${schema}.`) ? table.slice(schema.length + 1) : table;
}
