/**
 * Scored answers per second of `candor reward serve` over a Motors database: right, wrong and broken SQL, and words, sent
 * by several clients at once; predicted queries are run every time, golds once. Beside it S_dense alone, ours and with
 * SciPy's assignment in Python. `npx tsx bench/reward-server.ts [--smoke] [--output json]`
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../src/database/index.ts';
import { denseLikeness } from '../src/lab/reward/formula/dense-likeness.ts';
import type { ScoreItem } from '../src/lab/reward/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent } from './figures.ts';
import { makeMotorsFile } from './make-motors-file.ts';
import { printReport } from './print-report.ts';
import { densePairs } from './reward-server/dense-pairs.ts';
import { makeAnswers, sqlOf } from './reward-server/make-answers.ts';
import { prepareScipy, scipyDense } from './reward-server/scipy-dense.ts';
import { serveReward } from './reward-server/serve-reward.ts';

interface Load {
  /** Share of the demo's facts, 300,000 rows. */
  readonly scale: number;
  readonly embedding: 'hashed' | 'built-in';
  readonly clients: number;
  readonly batch: number;
  readonly answers: number;
}

const SMALL = { scale: 0.02, embedding: 'hashed', answers: 2_100 } as const;
const LOADS: readonly Load[] = [
  ...[1, 4, 16, 64, 256].map((batch) => ({ ...SMALL, clients: 4, batch })),
  ...[1, 2, 8].map((clients) => ({ ...SMALL, clients, batch: 16 })),
  { ...SMALL, embedding: 'built-in', clients: 4, batch: 64 },
  { ...SMALL, scale: 1, answers: 420, clients: 4, batch: 64 },
];
const SMOKE_LOADS: readonly Load[] = [
  { ...SMALL, answers: 70, clients: 2, batch: 7 },
  { ...SMALL, answers: 70, clients: 2, batch: 35 },
];
const SEED = 29;

const options = readBenchOptions();
const say = (line: string): void => void process.stderr.write(`reward-server: ${line}\n`);
const folder = await mkdtemp(join(tmpdir(), 'candor-reward-bench-'));
try {
  const rows = await measureLoads(options.isSmoke ? SMOKE_LOADS : LOADS);
  const growth = (key: 'batch' | 'clients', of: (row: Measured) => boolean): number =>
    growthExponent(rows.filter((row) => of(row)).map((row) => [row[key], row.perSecond]));
  const isSmall = ({ scale, embedding }: Measured): boolean =>
    scale === SMALL.scale && embedding === SMALL.embedding;
  printReport(
    {
      bench: 'reward-server',
      about: 'scored answers per second over HTTP, five of seven with SQL to run; S_dense alone beside SciPy',
      rows,
      figures: {
        bestPerSecond: Math.max(...rows.filter(isSmall).map(({ perSecond }) => perSecond)),
        growthWithBatch: growth('batch', (row) => isSmall(row) && row.clients === rows[0]?.clients),
        ...(options.isSmoke
          ? {}
          : { growthWithClients: growth('clients', (row) => isSmall(row) && row.batch === 16) }),
        ...(await comparePeer()),
      },
    },
    options,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

type Measured = Omit<Load, 'answers'> & {
  readonly answers: number;
  readonly perSecond: number;
  /** Answers in SQL among them. */
  readonly queriesPerSecond: number;
  /** The same queries by the engine alone, two at a time. */
  readonly rawQueriesPerSecond: number;
  readonly meanTotal: number;
  readonly goldFailed: number;
};

async function measureLoads(loads: readonly Load[]): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const scale of new Set(loads.map((load) => load.scale))) {
    const file = join(folder, `motors-${scale}.db`);
    say(`a Motors database of ${await makeMotorsFile(`${file}.made`, 'sqlite', scale)} rows`);
    // The writer's lock lasts until its statements are collected; the copy has none.
    await copyFile(`${file}.made`, file);
    const rawQueriesPerSecond = await measureEngine(file, scale === 1 ? 154 : 1_050);
    for (const embedding of ['hashed', 'built-in'] as const) {
      const own = loads.filter((load) => load.scale === scale && load.embedding === embedding);
      if (own.length === 0) continue;
      const server = await serveReward(file, embedding, folder);
      try {
        // Golds are run, and code is compiled, before anything is measured.
        await send(server.url, await makeAnswers(154), { clients: 2, batch: 22 });
        for (const load of own) measured.push({ ...(await measure(server.url, load)), rawQueriesPerSecond });
      } finally {
        await server.close();
      }
    }
  }
  return measured;
}

async function measure(url: string, load: Load): Promise<Omit<Measured, 'rawQueriesPerSecond'>> {
  const answers = await makeAnswers(load.answers);
  const from = performance.now();
  const scores = await send(url, answers, load);
  const seconds = (performance.now() - from) / 1000;
  const perSecond = scores.length / seconds;
  say(`batch ${load.batch}, ${load.clients} clients: ${perSecond.toFixed(0)} a second`);
  return {
    ...load,
    answers: scores.length,
    perSecond,
    queriesPerSecond: answers.filter((answer) => sqlOf(answer) !== undefined).length / seconds,
    meanTotal: scores.reduce((sum, { total }) => sum + total, 0) / scores.length,
    goldFailed: scores.filter(({ detail }) => detail.goldError !== undefined).length,
  };
}

/** What the engine can do at most: the queries of the answers on two connections, nothing compared. */
async function measureEngine(file: string, count: number): Promise<number> {
  const answers = await makeAnswers(options.isSmoke ? 70 : count);
  const queries = answers.flatMap((answer) => sqlOf(answer) ?? []);
  const limits = { rows: 10_000, bytes: 10_000_000, timeoutMs: 5_000 };
  const [first, second] = await Promise.all(
    [1, 2].map(() => connect(`sqlite:${file}`, { baseDirectory: folder })),
  );
  if (first === undefined || second === undefined) throw new Error('two connections were opened');
  try {
    await Promise.all([first.query('SELECT 1', limits), second.query('SELECT 1', limits)]);
    const from = performance.now();
    let next = 0;
    const work = async (database: typeof first): Promise<void> => {
      for (let at = next++; at < queries.length; at = next++)
        // Broken ones are among them.
        await database.query(queries[at] ?? '', limits).catch(() => undefined);
    };
    await Promise.all([work(first), work(second)]);
    return queries.length / ((performance.now() - from) / 1000);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
}

interface Scored {
  readonly total: number;
  readonly detail: { readonly goldError?: unknown };
}

/** Every client sends its next batch when the one before is scored. */
async function send(
  url: string,
  answers: readonly ScoreItem[],
  { clients, batch }: Pick<Load, 'clients' | 'batch'>,
): Promise<readonly Scored[]> {
  const scores: Scored[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < answers.length) {
      const items = answers.slice(next, next + batch);
      next += batch;
      const response = await fetch(`${url}/v1/score`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ items }),
      });
      const reply = (await response.json()) as { readonly scores?: readonly Scored[] };
      if (reply.scores?.length !== items.length)
        throw new Error(`${response.status}: ${JSON.stringify(reply)}`);
      scores.push(...reply.scores);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return scores;
}

/** S_dense of the same pairs by both, in pairs a second; `denseDiffers` counts totals that are not the same. */
async function comparePeer(): Promise<Readonly<Record<string, number>>> {
  const [pairs, rounds] = [densePairs(options.isSmoke ? 20 : 400, SEED), options.isSmoke ? 1 : 5];
  const compute = (): readonly number[] =>
    pairs.map(({ gold, predicted, cosines }) => denseLikeness(gold, predicted, cosines).total);
  compute();
  const from = performance.now();
  let totals: readonly number[] = [];
  for (let round = 0; round < rounds; round += 1) totals = compute();
  const perSecond = (1000 * rounds * pairs.length) / (performance.now() - from);
  const python = await prepareScipy(!options.isSmoke, say);
  if ('missing' in python) {
    say(`SciPy was not compared: ${python.missing}`);
    return { densePerSecond: perSecond };
  }
  const peer = await scipyDense(python.python, pairs, rounds);
  const peerPerSecond = (rounds * pairs.length) / peer.seconds;
  return {
    densePerSecond: perSecond,
    scipyDensePerSecond: peerPerSecond,
    denseRatio: perSecond / peerPerSecond,
    denseDiffers: totals.filter((total, at) => Math.abs(total - (peer.totals[at] ?? 0)) > 1.5e-4).length,
  };
}
