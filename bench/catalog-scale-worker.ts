/** The measured part of `catalog-scale.ts`: sends one message with what it took. */
import { keepHeapSmall } from '../src/cli/context/keep-heap-small.ts';
import { connect, guarded } from '../src/database/index.ts';
import { emptySemanticModel } from '../src/knowledge/semantic/index.ts';
import { onboard, profileDatabase } from '../src/onboarding/onboard.ts';

// As `candor onboard` does.
keepHeapSmall();
const [url = '', directory = ''] = process.argv.slice(2);
const database = guarded(await connect(url), { kind: 'own-queries' });
/** The highest so far, by the system. */
const peakMb = () => process.resourceUsage().maxRSS / 1024;
const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
};
const settings = { directory, semantics: emptySemanticModel };

let catalogSeconds = 0;
let catalogMb = 0;
const started = performance.now();
const profileSeconds = await seconds(() =>
  profileDatabase(database, {
    ...settings,
    onProgress: ({ stage, done }) => {
      // The first table comes when the whole catalog has been read.
      if (stage !== 'profiles' || done > 0) return;
      catalogSeconds = (performance.now() - started) / 1000;
      catalogMb = peakMb();
    },
  }),
);
const profileMb = peakMb();
const refreshSeconds = await seconds(() => profileDatabase(database, { ...settings, refresh: true }));
let tables = 0;
let columns = 0;
const loadSeconds = await seconds(async () => {
  const { catalog } = await onboard(database, settings);
  tables = catalog.tables.length;
  for (const table of catalog.tables) columns += table.columns.length;
});
const loadMb = peakMb();
await database.close();
process.send?.({
  ...{ tables, columns, catalogSeconds, catalogMb, profileSeconds, profileMb },
  ...{ refreshSeconds, loadSeconds, loadMb },
});
process.disconnect?.();
