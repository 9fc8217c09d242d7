import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mendOperators } from '../../src/lab/corpus/read-spider.ts';
import { requirePath } from '../../src/lab/corpus/suite-places.ts';
import type { QuerySet } from './query-set.ts';
import { readTablesFile } from './read-tables-file.ts';

const FILES = { 'spider-dev': 'dev_gold.sql', 'spider-train': 'train_gold.sql' } as const;

/** Gold queries of Spider: one line each, the query and its database with a tab between. */
export async function readSpiderGold(set: keyof typeof FILES, dataDirectory: string): Promise<QuerySet> {
  const folder = join(dataDirectory, 'spider');
  const path = await requirePath(join(folder, FILES[set]), `The set ${set}`);
  const lines = (await readFile(path, 'utf8')).split(/\r?\n/).filter((line) => line.includes('\t'));
  const queries = lines.map((line, index) => {
    const tab = line.lastIndexOf('\t');
    return {
      id: `${set}-${index}`,
      set,
      dialect: 'sqlite' as const,
      sql: mendOperators(line.slice(0, tab)),
      databaseId: `spider:${line.slice(tab + 1).trim()}`,
      runs: true,
    };
  });
  return { queries, schemas: await readTablesFile(join(folder, 'tables.json'), 'spider') };
}
