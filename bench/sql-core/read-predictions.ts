import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { requirePath } from '../../src/lab/corpus/suite-places.ts';
import type { CoreSchema, QuerySet } from './query-set.ts';
import { readBirdDevSchemas } from './read-bird-gold.ts';
import { readTablesFile } from './read-tables-file.ts';

const ROW = z.object({
  db_id: z.string(),
  pred: z.string(),
  label: z.number().nullish(),
  exec_status: z.string().nullish(),
});

const SETS = {
  'preds-bird': { file: 'bird_dev.jsonl.gz', prefix: 'bird' },
  'preds-spider': { file: 'spider.jsonl.gz', prefix: 'spider' },
} as const;

/** SQL that language models wrote for BIRD dev and Spider: broken queries and invented columns included. */
export async function readPredictions(set: keyof typeof SETS, dataDirectory: string): Promise<QuerySet> {
  const { file, prefix } = SETS[set];
  const path = await requirePath(join(dataDirectory, 'preds', file), `The set ${set}`);
  const lines = gunzipSync(await readFile(path))
    .toString('utf8')
    .split('\n');
  const rows = lines.filter((line) => line.trim() !== '').map((line) => ROW.parse(JSON.parse(line)));
  const queries = rows.map((row, index) => ({
    id: `${set}-${index}`,
    set,
    dialect: 'sqlite' as const,
    sql: row.pred,
    databaseId: `${prefix}:${row.db_id}`,
    runs: hasRun(row),
  }));
  const schemas = await readSchemas(set, dataDirectory);
  return { queries, schemas };
}

function hasRun({ label, exec_status }: z.infer<typeof ROW>): boolean | undefined {
  if (exec_status === 'ok' || exec_status === 'timeout' || label === 1) return true;
  return exec_status === 'error' ? false : undefined;
}

function readSchemas(set: keyof typeof SETS, dataDirectory: string): Promise<CoreSchema[]> {
  return set === 'preds-bird'
    ? readBirdDevSchemas(dataDirectory, 'bird')
    : readTablesFile(join(dataDirectory, 'spider', 'tables.json'), 'spider');
}
