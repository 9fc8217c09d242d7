/**
 * A process to be killed: `sync-in-process.ts <count> <path>` or `… <count> <url> <workspace>` replaces all tables by
 * `count` others, and says so when the last of them is staged and its changes begin.
 */
import { openSearchFile } from '../../src/knowledge/search/index.ts';
import { openSharedSearch } from '../../src/knowledge/search/open-shared-search.ts';

const [count = '', place = '', workspace] = process.argv.slice(2);
const store =
  workspace === undefined ? await openSearchFile(place) : await openSharedSearch(place, { workspace });

async function* tables() {
  for (let index = 0; index < Number(count); index++)
    yield {
      kind: 'table' as const,
      id: `new${index}`,
      title: `new table ${index}`,
      body: `words of table ${index}`,
      tableIds: [`new${index}`],
    };
  process.stdout.write('changing\n');
}
await store.sync(['table'], tables());
await store.close();
