/**
 * Trains the model of uncertainty that comes with Candor and writes it beside its code: gold queries of Spider train and
 * BIRD train, our mutations of them, what the grounded engine itself writes for Spider train, judged by its rows, and what
 * other systems wrote for Spider train and the eight open databases of BIRD dev.
 * `npx tsx scripts/train-uncertainty.ts [--limit 400] [--seed 1] [--output file] [--engine file]`; the scores that its test
 * compares with are written where no other output is named. `--engine` keeps what the engine wrote for another run.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { readLinkSet } from '../src/lab/linking/read-link-set.ts';
import { makeEnginePairs } from '../src/lab/uncertainty/mutations/engine-pairs.ts';
import { trainHalfLinkers } from '../src/lab/uncertainty/training/half-linkers.ts';
import { dumpScores } from '../src/lab/uncertainty/training/score-dump.ts';
import {
  readPredictedQueries,
  readShippedRows,
  type WrittenSql,
} from '../src/lab/uncertainty/training/shipped-rows.ts';
import { trainShipped } from '../src/lab/uncertainty/training/train-shipped.ts';
import { openLinkForests } from '../src/reasoning/grounded/linking/index.ts';
import { readIfThere } from '../src/store/index.ts';
import {
  ASKED_GROUPS,
  encodeUncertaintyModel,
  featureSpace,
  SHIPPED_MODEL_FILE,
} from '../src/uncertainty/index.ts';

const { values: options } = parseArgs({
  options: {
    limit: { type: 'string' },
    seed: { type: 'string', default: '1' },
    output: { type: 'string' },
    engine: { type: 'string' },
  },
});
const root = join(import.meta.dirname, '..');
const dataDirectory = readTerminalEnvironment().dataDirectory ?? join(root, '..', 'shared', 'data');
const output = options.output ?? fileURLToPath(SHIPPED_MODEL_FILE);
const seed = wholeNumber('seed', options.seed);
const limit = options.limit === undefined ? undefined : wholeNumber('limit', options.limit);

const GROUPS = [...ASKED_GROUPS, 'fault', 'agreement'] as const;
const FOLDS = 3;
/** Of each database's questions every nth trains the rankers whose opinions are read. */
const LINKER_EVERY = limit === undefined ? 4 : 8;
/** Mutated candidates of each question that become rows. */
const JUDGED = 1;
/** Questions that the engine is asked. The time is for a machine that hangs: a run that reaches it is not repeatable. */
const ENGINE = { limit: 3_500, stopAfterMs: 1_800_000 };
const WRITTEN = z.array(z.object({ id: z.string(), sql: z.string(), isRight: z.boolean() }));
const MOST_BYTES = 3_000_000;

const SETS = ['spider-train', 'bird-train'] as const;
const SOURCES = [
  {
    name: 'spider-train',
    file: 'spider/train_spider.json',
    about: 'Spider train, CC BY-SA 4.0, Yu et al. 2018',
  },
  { name: 'bird-train', file: 'bird/train/train.jsonl', about: 'BIRD train, CC BY-SA 4.0, Li et al. 2023' },
  {
    name: 'bird-predictions',
    file: 'preds/bird_dev.jsonl.gz',
    about: 'SQL of some fifty systems for eight databases of BIRD dev, as found',
  },
  {
    name: 'spider-predictions',
    file: 'preds/spider.jsonl.gz',
    about: 'candidates of one system for Spider train, as found',
  },
] as const;

const start = performance.now();
const say = (text: string): void => {
  process.stderr.write(`${((performance.now() - start) / 1000).toFixed(0)} s  ${text}\n`);
};
let lastSaid = '';
/** A line for each stage, and every 500 questions. */
const progress = (stage: string, done: number, of: number): void => {
  if (stage !== lastSaid || (done % 1_000 === 0 && done > 0)) say(`${stage} ${done}/${of}`);
  lastSaid = stage;
};

const sets = await Promise.all(
  SETS.map((name) =>
    readLinkSet(name, { dataDirectory, ...(name === 'bird-train' && { descriptions: 'tasql' as const }) }),
  ),
);
const predicted = await readPredictedQueries(dataDirectory);
const { openBird } = predicted;
const written = await readWritten();
say(`${written.size} queries of the engine`);

const halfLinkers = await trainHalfLinkers(sets, { every: LINKER_EVERY, seed, onProgress: progress });
// The rankers that come with Candor have not learned from BIRD dev.
const shippedLinker = await openLinkForests();
const { rows, leftOut } = await readShippedRows([...sets, openBird], featureSpace(GROUPS), {
  forestsOf: (set, database) => (set === openBird.name ? shippedLinker : halfLinkers(set, database)),
  written,
  predicted: predicted.queries,
  judged: JUDGED,
  seed,
  ...(limit !== undefined && { limit }),
  onProgress: progress,
});
say(`${rows.count} nodes of ${rows.queries.length} queries; left out: ${JSON.stringify(leftOut)}`);
const { parts } = await trainShipped(rows, { folds: FOLDS, groups: GROUPS, onProgress: progress });
const file = encodeUncertaintyModel({
  ...parts,
  about: `How likely a part of a query is wrong; npx tsx scripts/train-uncertainty.ts --seed ${seed}${limit === undefined ? '' : ` --limit ${limit}`}`,
  data: {
    ...Object.fromEntries(await Promise.all(SOURCES.map(describe))),
    rows: describeRows(),
  },
});
if (file.length > MOST_BYTES)
  throw new Error(`the model has ${file.length} bytes; at most ${MOST_BYTES} are shipped`);
await writeWhole(output, file);
// What the tests of the shipped model compare with.
if (options.output === undefined)
  await writeWhole(
    join(root, 'test', 'fixtures', 'uncertainty', 'shipped-scores.jsonl'),
    dumpScores(rows, parts, 20)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  );
say(`written to ${output}: ${file.length} bytes, ${JSON.stringify(parts.scores)}`);

/** Asks the engine, or reads what it wrote when it was asked before. */
async function readWritten(): Promise<ReadonlyMap<string, WrittenSql>> {
  const kept = options.engine === undefined ? undefined : await readIfThere(options.engine);
  if (kept !== undefined) {
    const read = WRITTEN.parse(JSON.parse(kept));
    return new Map(read.map(({ id, ...query }) => [id, query]));
  }
  const found: z.infer<typeof WRITTEN> = [];
  for await (const { questionId, generated, right } of makeEnginePairs({
    ...ENGINE,
    dataDirectory,
    cacheDirectory: join(root, '.cache'),
    now: () => performance.now(),
    onProgress: ({ asked, total }) => progress('the engine answers', asked, total),
  }))
    found.push({ id: questionId, sql: generated.tree.text, isRight: right });
  if (options.engine !== undefined) await writeWhole(options.engine, JSON.stringify(found));
  return new Map(found.map(({ id, ...query }) => [id, query]));
}

async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}

function describeRows(): string {
  const byWriter = (writer: string): number =>
    rows.queries.filter(({ tag }) => tag.startsWith(writer)).length;
  return `${rows.count} nodes of ${rows.queries.length} queries: ${byWriter('mutated')} mutations of gold queries, ${byWriter('engine')} by the grounded engine and ${byWriter('predicted')} by other systems, these judged by their rows`;
}

async function describe({ name, file, about }: (typeof SOURCES)[number]): Promise<[string, string]> {
  const hash = createHash('sha256').update(await readFile(join(dataDirectory, file)));
  return [name, `${about}; sha256 ${hash.digest('hex')}`];
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} is ${text}; expected a whole number`);
}
