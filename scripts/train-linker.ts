/**
 * Trains the ranker of schema linking and writes it beside its code: BIRD train, Spider train, and the Spider2-Snow
 * databases at places of the alphabet that leave no rest of 1 by 4. `npx tsx scripts/train-linker.ts [--limit 500]`
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encodeModelFile } from '../src/boosting/index.ts';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { openValues } from '../src/lab/linking/linkers/grounded-linker.ts';
import { readLinkSet } from '../src/lab/linking/read-link-set.ts';
import { calibrated, isLeftOut, leftOutFigures } from '../src/lab/linking/training/left-out.ts';
import { trainLinker } from '../src/lab/linking/training/train-linker.ts';
import { type TrainingCase, toTrainingCase } from '../src/lab/linking/training/training-case.ts';
import { CHOICE_RISKS, prepareLinker } from '../src/reasoning/grounded/linking/index.ts';
import { FOREST_FILES } from '../src/reasoning/grounded/linking/rank-schema.ts';

const FOLDS = 4;
const { values: options } = parseArgs({ options: { limit: { type: 'string' }, out: { type: 'string' } } });
const root = join(import.meta.dirname, '..');
const dataDirectory = readTerminalEnvironment().dataDirectory ?? join(root, '..', 'shared', 'data');
const cacheDirectory = join(root, '.cache');
const limit = Number(options.limit ?? Number.POSITIVE_INFINITY);
const start = performance.now();
const say = (text: string): void => {
  process.stderr.write(`${((performance.now() - start) / 1000).toFixed(0)} s  ${text}\n`);
};

const SOURCES = [
  { name: 'bird-train', weight: 1, isTaken: () => true, about: 'BIRD train, CC BY-SA 4.0, Li et al. 2023' },
  {
    name: 'spider-train',
    weight: 0.5,
    isTaken: () => true,
    about: 'Spider train, CC BY-SA 4.0, Yu et al. 2018',
  },
  {
    name: 'snow',
    weight: 8,
    isTaken: (place: number) => !isLeftOut(place),
    about: 'Spider2-Snow, three of four databases in the order of the alphabet, MIT, Lei et al. 2024',
  },
] as const;

const ABOUT = {
  first: 'whether a column is needed for a question, from itself',
  second: 'the same, beside the first opinion on all others',
  table: 'whether a table is needed, after its columns',
} as const;

const bySource = new Map<string, TrainingCase[]>();
for (const { name, weight, isTaken } of SOURCES) {
  const set = await readLinkSet(name, {
    dataDirectory,
    ...(name === 'bird-train' ? { descriptions: 'tasql' } : {}),
  });
  const cases: TrainingCase[] = [];
  bySource.set(name, cases);
  let taken = 0;
  for (const [place, database] of [...set.databases.keys()].sort().entries()) {
    const found = set.databases.get(database);
    const own = set.cases.filter((each) => each.database === database);
    if (found === undefined || !isTaken(place) || own.length === 0 || cases.length >= limit) continue;
    const values = await openValues(found, { cacheDirectory });
    const linker = prepareLinker(found.catalog, values === undefined ? {} : { values });
    for (const each of own) cases.push(toTrainingCase(each, linker, { fold: taken % FOLDS, weight }));
    taken += 1;
  }
  say(`${name}: ${cases.length} questions`);
}
/** Tables of warehouses are chosen from hundreds and there are few questions on them: each source has the same say. */
const rowsOf = (source: string): number =>
  (bySource.get(source) ?? []).reduce((sum, each) => sum + each.linker.schema.tables.length, 0);
const most = Math.max(...SOURCES.map(({ name }) => rowsOf(name)));
const cases = SOURCES.flatMap(({ name }) =>
  (bySource.get(name) ?? []).map((each) => ({ ...each, source: name, tableWeight: most / rowsOf(name) })),
);
const trained = await trainLinker(cases, {
  folds: FOLDS,
  onProgress: (stage, done, total) => {
    if (stage === 'forest' || done === 0) say(`${stage} ${done}/${total}`);
  },
});
const leftOut = cases.map((asked, at) => ({ asked, probabilities: trained.leftOut[at]! }));
for (const { name } of SOURCES) {
  const own = leftOut.filter(({ asked }) => asked.source === name);
  say(`${name}, its databases left out in turn: ${JSON.stringify(leftOutFigures(own, CHOICE_RISKS.table))}`);
}
const forests = { ...trained, table: calibrated(trained.table, leftOut) };
const folder = options.out ?? join(root, 'src', 'reasoning', 'grounded', 'linking', 'forests');
await mkdir(folder, { recursive: true });
for (const name of ['first', 'second', 'table'] as const) {
  const file = encodeModelFile({
    model: forests[name],
    about: `${ABOUT[name]}; npx tsx scripts/train-linker.ts`,
    data: {
      ...Object.fromEntries(SOURCES.map((source) => [source.name, source.about])),
      rows: String(trained.rows[name]),
    },
    // They are measured by `candor eval link`, on other questions.
    scores: {},
  });
  await writeFile(join(folder, FOREST_FILES[name]), file);
}
say(`written: ${JSON.stringify(trained.rows)}`);
