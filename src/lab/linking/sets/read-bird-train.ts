/** BIRD train: 9,428 questions on 69 databases without rows, their schemas as DDL. For training, never for figures. */
import { join } from 'node:path';
import { z } from 'zod';
import { readWrittenWords, wordsOf } from './bird-descriptions.ts';
import { buildCatalog, type DescribedSchema } from './build-catalog.ts';
import type { LinkDatabase, LinkSet } from './link-set.ts';
import { makeSet } from './make-set.ts';
import { readDdl } from './read-ddl.ts';
import { readJsonLines } from './read-json-lines.ts';
import type { LinkSetOptions } from './set-options.ts';

const ROW = z.object({
  idx: z.number(),
  db_id: z.string(),
  question: z.string(),
  evidence: z.string().nullish(),
  SQL: z.string(),
});
const SCHEMA = z.object({ db_id: z.string(), schema: z.string() });

/** There are no official descriptions here: `tasql` takes what a language model wrote of the columns. */
export async function readBirdTrain(options: LinkSetOptions): Promise<LinkSet> {
  const { dataDirectory, only, descriptions } = options;
  const folder = join(dataDirectory, 'bird', 'train');
  const isWanted = ({ db_id }: { readonly db_id: string }): boolean => only?.has(db_id) ?? true;
  const schemas = (await readJsonLines(join(folder, 'schemas.jsonl'), SCHEMA)).filter(isWanted);
  const rows = (await readJsonLines(join(folder, 'train.jsonl'), ROW)).filter(isWanted);
  const written =
    descriptions === 'tasql' ? await readWrittenWords(join(folder, 'train_column_meaning.json')) : new Map();
  const databases = new Map(
    schemas.map(({ db_id, schema }): [string, LinkDatabase] => {
      const words = written.get(db_id) ?? new Map();
      const described = addWords(readDdl(schema), (table, column) => wordsOf(words, table, column));
      return [db_id, { name: db_id, catalog: buildCatalog(db_id, 'sqlite', described) }];
    }),
  );
  const questions = rows.map(({ idx, db_id, question, evidence, SQL }) => ({
    id: `train-${idx}`,
    database: db_id,
    question,
    hint: evidence ?? '',
    sql: SQL,
  }));
  return makeSet('bird-train', databases, questions);
}

function addWords(
  { tables, keys }: DescribedSchema,
  describe: (table: string, column: string) => string,
): DescribedSchema {
  // SQLite's own tables are in some dumps.
  const own = tables.filter(({ name }) => !name.startsWith('sqlite_'));
  const told = own.map((table) => ({
    ...table,
    columns: table.columns.map((column) => ({ ...column, comment: describe(table.name, column.name) })),
  }));
  return { tables: told, keys };
}
