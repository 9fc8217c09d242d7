/** `ingest-worker.ts LOG STATE`: ingests one log and prints what it took. */
import { statSync } from 'node:fs';
import { ingestLogs, openUsageFile, readUsage, rejectedIn } from '../../src/knowledge/usage/index.ts';
import { shopCatalog } from '../../test/fixtures/usage/shop-catalog.ts';

const [, , log = '', state = ''] = process.argv;
const file = await openUsageFile(state);
const started = performance.now();
const [ingested] = await ingestLogs(file, [log], { catalog: shopCatalog('postgres') });
const seconds = (performance.now() - started) / 1000;
// In kilobytes; before anything is read back.
const peakMb = process.resourceUsage().maxRSS / 1000;
const asked = performance.now();
readUsage(file, { asOf: '2024-03-31' });
const showMs = performance.now() - asked;
file.close();
const counts = ingested?.counts ?? {};
process.stdout.write(
  JSON.stringify({
    ...{ seconds, peakMb, stateMb: statSync(state).size / 1e6, showMs },
    ...{ counted: counts.counted ?? 0, rejected: rejectedIn(counts) },
  }),
);
