import {
  describeSchema,
  readTablesFile as readDatabases,
} from '../../src/lab/linking/sets/read-tables-file.ts';
import type { CoreSchema } from './query-set.ts';

/** Schemas of a file of Spider's form, which BIRD shares; `prefix` keeps databases of different sources apart. */
export async function readTablesFile(path: string, prefix: string): Promise<CoreSchema[]> {
  return (await readDatabases(path)).map((database) => ({
    databaseId: `${prefix}:${database.db_id}`,
    tables: describeSchema(database).tables,
  }));
}
