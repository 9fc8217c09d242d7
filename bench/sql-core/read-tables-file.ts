import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { requirePath } from '../../src/lab/corpus/suite-places.ts';
import type { CoreSchema, CoreTable } from './query-set.ts';

const DATABASES = z.array(
  z.object({
    db_id: z.string(),
    table_names_original: z.array(z.string()),
    column_names_original: z.array(z.tuple([z.number(), z.string()])),
    column_types: z.array(z.string()),
  }),
);

/** Schemas of a file of Spider's form, which BIRD shares; `prefix` keeps databases of different sources apart. */
export async function readTablesFile(path: string, prefix: string): Promise<CoreSchema[]> {
  const databases = DATABASES.parse(
    JSON.parse(await readFile(await requirePath(path, 'The schema file'), 'utf8')),
  );
  return databases.map((database) => ({
    databaseId: `${prefix}:${database.db_id}`,
    tables: tablesOf(database),
  }));
}

function tablesOf(database: z.infer<typeof DATABASES>[number]): CoreTable[] {
  return database.table_names_original.map((name, tableIndex) => ({
    name,
    columns: database.column_names_original.flatMap(([owner, columnName], columnIndex) =>
      owner === tableIndex ? [{ name: columnName, type: database.column_types[columnIndex] ?? '' }] : [],
    ),
  }));
}
