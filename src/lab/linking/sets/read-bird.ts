/** BIRD dev: 1,534 questions on eleven databases; three of them come with rows. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { requirePath } from '../../corpus/suite-places.ts';
import { type ColumnWords, readOfficialWords, readWrittenWords, wordsOf } from './bird-descriptions.ts';
import { buildCatalog } from './build-catalog.ts';
import { databaseFile } from './database-file.ts';
import type { LinkDatabase, LinkSet } from './link-set.ts';
import { makeSet } from './make-set.ts';
import { describeSchema, readTablesFile } from './read-tables-file.ts';
import type { LinkSetOptions } from './set-options.ts';

const ROWS = z.array(
  z.object({
    question_id: z.number(),
    db_id: z.string(),
    question: z.string(),
    evidence: z.string(),
    SQL: z.string(),
  }),
);

/** Case ids are the question ids of BIRD. */
export async function readBird(options: LinkSetOptions): Promise<LinkSet> {
  const { dataDirectory, only } = options;
  const folder = join(dataDirectory, 'bird');
  const path = await requirePath(join(folder, 'dev', 'dev.json'), 'The BIRD dev set');
  const rows = ROWS.parse(JSON.parse(await readFile(path, 'utf8')));
  const databases = new Map<string, LinkDatabase>();
  const wordsFor = await openWords(folder, options.descriptions ?? 'official');
  for (const file of await readTablesFile(join(folder, 'dev', 'dev_tables.json'))) {
    const name = file.db_id;
    if (only !== undefined && !only.has(name)) continue;
    const words = await wordsFor(name);
    const schema = describeSchema(file, (table, column) => wordsOf(words, table, column));
    databases.set(name, {
      name,
      catalog: buildCatalog(name, 'sqlite', schema),
      ...(await databaseFile(join(folder, 'databases', name, `${name}.sqlite`))),
    });
  }
  const questions = rows
    .filter(({ db_id }) => only?.has(db_id) ?? true)
    .map(({ question_id, db_id, question, evidence, SQL }) => ({
      id: String(question_id),
      database: db_id,
      question,
      hint: evidence,
      sql: SQL,
    }));
  return makeSet('bird', databases, questions);
}

type Descriptions = NonNullable<LinkSetOptions['descriptions']>;

async function openWords(
  folder: string,
  descriptions: Descriptions,
): Promise<(database: string) => Promise<ColumnWords>> {
  if (descriptions === 'none') return async () => new Map();
  if (descriptions === 'official')
    return (database) => readOfficialWords(join(folder, 'dev', 'database_description', database));
  const written = await readWrittenWords(join(folder, 'dev', 'tasql_column_meaning.json'));
  return async (database) => written.get(database) ?? new Map();
}
