import type { Table } from '../../catalog/index.ts';
import type { Config } from '../../config/index.ts';
import type { Authored } from '../authored/authored.ts';
import { readAuthored } from '../authored/folder/read-authored.ts';
import type { Lake } from '../lake/open-lake.ts';

/**
 * What people wrote about a lake. Statuses and areas name tables by what stands in the lake; what is not there stays as it is written.
 */
export async function readLakeAuthored(
  lake: Lake,
  config: Pick<Config, 'knowledgeDirectory'>,
  named: readonly Table[] = [],
): Promise<Authored> {
  const { areas, statuses } = await readAuthored(config.knowledgeDirectory);
  const names = new Set([
    ...statuses.map(({ table }) => table),
    ...areas.flatMap(({ includeTables, excludeTables }) => [...includeTables, ...excludeTables]),
  ]);
  const tables = new Map(named.map((table) => [table.id, table]));
  for (const name of names) for (const table of await lake.named(name, 2)) tables.set(table.id, table);
  return readAuthored(config.knowledgeDirectory, { tables: [...tables.values()] });
}
