/** Spider: dev for figures, train for training, over SQLite databases with rows. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { mendOperators } from '../../corpus/read-spider.ts';
import { requirePath } from '../../corpus/suite-places.ts';
import { buildCatalog } from './build-catalog.ts';
import { databaseFile } from './database-file.ts';
import type { LinkDatabase, LinkSet } from './link-set.ts';
import { makeSet } from './make-set.ts';
import { describeSchema, readTablesFile } from './read-tables-file.ts';
import type { LinkSetOptions } from './set-options.ts';

const ROWS = z.array(z.object({ db_id: z.string(), question: z.string(), query: z.string() }));

const SPLITS = {
  spider: { file: 'dev.json', prefix: 'dev' },
  'spider-train': { file: 'train_spider.json', prefix: 'train' },
} as const;

/** Case ids are those of the suites of the same name: `dev-0`. */
export async function readSpiderLinks(name: keyof typeof SPLITS, options: LinkSetOptions): Promise<LinkSet> {
  const { dataDirectory, only, descriptions } = options;
  const folder = join(dataDirectory, 'spider');
  const { file, prefix } = SPLITS[name];
  const path = await requirePath(join(folder, file), `The Spider data set (${file})`);
  const questions = ROWS.parse(JSON.parse(await readFile(path, 'utf8'))).flatMap(
    ({ db_id, question, query }, index) =>
      (only?.has(db_id) ?? true)
        ? [{ id: `${prefix}-${index}`, database: db_id, question, hint: '', sql: mendOperators(query) }]
        : [],
  );
  const wanted = new Set(questions.map(({ database }) => database));
  const databases = new Map<string, LinkDatabase>();
  for (const described of await readTablesFile(join(folder, 'tables.json'))) {
    const database = described.db_id;
    if (!wanted.has(database)) continue;
    const spoken = descriptions === 'none' ? { ...described, table_names: [], column_names: [] } : described;
    databases.set(database, {
      name: database,
      catalog: buildCatalog(database, 'sqlite', describeSchema(spoken)),
      ...(await databaseFile(join(folder, 'database', database, `${database}.sqlite`))),
    });
  }
  return makeSet(name, databases, questions);
}
