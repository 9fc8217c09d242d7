/**
 * The value index beside datasketch: time and memory of the build, time of a query, growth, and how often MinHash LSH
 * finds what it should. The peer needs Python 3.
 * `npx tsx bench/value-index.ts [--size 1000000] [--peer-size 1000000] [--smoke] [--output json]`
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createRandom } from '../src/demo/motors/random.ts';
import { type BenchOptions, orEnd, readOutput } from './bench-options.ts';
import { growthExponent } from './figures.ts';
import { printReport } from './print-report.ts';
import { prepareDatasketch } from './value-index/datasketch-environment.ts';
import { generateValues, typedLike } from './value-index/generate-values.ts';
import { measureLshRecall } from './value-index/lsh-recall.ts';

interface IndexBenchOptions extends BenchOptions {
  readonly size: number;
  /** The peer takes a hundred times as long: a smaller size is told in the report. */
  readonly peerSize: number;
}

interface Row extends Readonly<Record<string, string | number>> {
  readonly what: string;
  readonly values: number;
  readonly buildSeconds: number;
  readonly memoryMb: number;
  readonly queryP95Ms: number;
}

const SMOKE_SIZE = 2_000;
const PEER_QUERIES = 20;
const PERMUTATIONS = 100;
const THRESHOLD = 0.01;
const SEED = 7;
const PART = fileURLToPath(new URL('./value-index/measure-part.ts', import.meta.url));
const PEER = fileURLToPath(new URL('./value-index/datasketch_peer.py', import.meta.url));
const NUMBERS = z.record(z.string(), z.number());

const options = orEnd(() => readOptions(process.argv.slice(2)));
const folder = await mkdtemp(join(tmpdir(), 'candor-bench-'));
try {
  await runBench(options);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function readOptions(args: string[]): IndexBenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
      size: { type: 'string', default: '1000000' },
      'peer-size': { type: 'string' },
    },
  });
  const isSmoke = values.smoke;
  const size = isSmoke ? SMOKE_SIZE : toSize('--size', values.size);
  const peerSize = isSmoke ? SMOKE_SIZE : toSize('--peer-size', values['peer-size'] ?? values.size);
  return { isSmoke, output: readOutput(values.output), size, peerSize };
}

function toSize(name: string, text: string): number {
  const size = Number(text);
  if (Number.isInteger(size) && size >= 100) return size;
  throw new RangeError(`${name} is a number from 100, not ${text}`);
}

async function runBench({ size, peerSize, ...given }: IndexBenchOptions): Promise<void> {
  const steps = given.isSmoke ? [size / 10, size] : [size / 100, size / 10, size, peerSize];
  const sizes = [...new Set(steps.map(Math.round))].sort((a, b) => a - b);
  const grams = sizes.map((count) => measureOurs(count, 'grams'));
  const lsh = measureOurs(peerSize, 'minhash-lsh');
  const peer = await measurePeer(peerSize, !given.isSmoke);
  const recall = given.isSmoke ? measureLshRecall(300, 20) : measureLshRecall(4_000, 300);
  const beside = grams.find(({ values }) => values === peerSize);
  const full = grams.find(({ values }) => values === size);
  const worst = Math.max(
    ...recall.flatMap(({ jaccard, recall: share, theory }) =>
      Number(jaccard.slice(5)) >= 0.2 ? [Math.abs(share - theory)] : [],
    ),
  );
  for (const row of recall) tell(`LSH ${JSON.stringify(row)}`);
  printReport(
    {
      bench: 'value-index',
      about: 'an index of distinct values: built from texts in memory, its memory when it is open, one query',
      rows: [...grams, lsh, ...(peer === undefined ? [] : [peer])],
      figures: {
        ...(peer === undefined || beside === undefined ? {} : compare(beside, lsh, peer)),
        queryP95Ms: full?.queryP95Ms ?? 0,
        buildGrowth: growthExponent(grams.map(({ values, buildSeconds }) => [values, buildSeconds])),
        queryGrowth: growthExponent(grams.map(({ values, queryP95Ms }) => [values, queryP95Ms])),
        lshRecallWorstOffTheory: worst,
      },
    },
    given,
  );
}

function compare(beside: Row, lsh: Row, peer: Row): Readonly<Record<string, number>> {
  return {
    buildSpeedUp: peer.buildSeconds / beside.buildSeconds,
    lshBuildSpeedUp: peer.buildSeconds / lsh.buildSeconds,
    memoryShare: beside.memoryMb / peer.memoryMb,
    lshMemoryShare: lsh.memoryMb / peer.memoryMb,
  };
}

function measureOurs(values: number, candidates: 'grams' | 'minhash-lsh'): Row {
  const place = join(folder, `${candidates}-${values}`);
  const built = runPart('build', place, values, candidates);
  const stored = runPart('store', place, values, candidates);
  const asked = runPart('ask', place, values, candidates);
  const figure = (of: Readonly<Record<string, number>>, name: string) => of[name] ?? Number.NaN;
  return {
    what: `ours, ${candidates}`,
    values,
    buildSeconds: figure(built, 'buildSeconds'),
    storeSeconds: figure(stored, 'storeSeconds'),
    // A small file may fit into memory that the process had before.
    memoryMb: Math.max(figure(asked, 'residentBytes'), figure(asked, 'fileBytes')) / 1e6,
    fileMb: figure(asked, 'fileBytes') / 1e6,
    openMs: figure(asked, 'openMs'),
    queryP50Ms: figure(asked, 'similarP50Ms'),
    queryP95Ms: figure(asked, 'similarP95Ms'),
    cascadeP95Ms: figure(asked, 'cascadeP95Ms'),
  };
}

function runPart(part: string, place: string, values: number, candidates: string): Record<string, number> {
  tell(`${part} ${values.toLocaleString('en')} values, ${candidates}`);
  const loader = `file://${createRequire(import.meta.url).resolve('tsx')}`;
  const args = [
    '--max-old-space-size=8192',
    '--import',
    loader,
    PART,
    part,
    place,
    String(values),
    candidates,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${part} failed: ${stderr}`);
  return NUMBERS.parse(JSON.parse(stdout));
}

async function measurePeer(count: number, mayInstall: boolean): Promise<Row | undefined> {
  const environment = await prepareDatasketch(mayInstall, tell);
  if ('missing' in environment) {
    tell(`datasketch is left out: ${environment.missing}`);
    return undefined;
  }
  tell(`datasketch, ${count.toLocaleString('en')} values: about a minute for 100,000`);
  const texts = generateValues(count, SEED).flatMap((column) => column.values.map(([text]) => text));
  const random = createRandom(SEED);
  const queries = Array.from({ length: PEER_QUERIES }, () => typedLike(random.pick(texts), random));
  const paths = { values: join(folder, 'values.txt'), queries: join(folder, 'queries.txt') };
  await writeFile(paths.values, texts.join('\n'));
  await writeFile(paths.queries, queries.join('\n'));
  const args = [PEER, paths.values, paths.queries, String(PERMUTATIONS), String(THRESHOLD)];
  const { status, stdout, stderr } = spawnSync(environment.python, args, { encoding: 'utf8' });
  if (status !== 0) {
    tell(
      `datasketch is left out: it ended with ${status ?? 'a signal'}: ${stderr.trim().split('\n').at(-1)}`,
    );
    return undefined;
  }
  const { buildSeconds = 0, bytes = 0, p95Ms = 0 } = NUMBERS.parse(JSON.parse(stdout));
  return {
    what: 'datasketch',
    values: count,
    buildSeconds,
    storeSeconds: '',
    memoryMb: bytes / 1e6,
    fileMb: '',
    openMs: '',
    queryP50Ms: '',
    queryP95Ms: p95Ms,
    cascadeP95Ms: '',
  };
}

function tell(line: string): void {
  process.stderr.write(`value-index: ${line}\n`);
}
