/**
 * Verified items per minute of `candor bench build` on the whole Motors demo, with no model, and how the time grows with
 * what is asked for. `npx tsx bench/synthesis.ts [--smoke] [--output json]`
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/config/index.ts';
import { connect } from '../src/database/index.ts';
import { buildBench } from '../src/lab/synthesis/index.ts';
import { openSession } from '../src/session/project/open-session.ts';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent } from './figures.ts';
import { makeMotorsFile } from './make-motors-file.ts';
import { printReport } from './print-report.ts';

const SIZES = [1_000, 5_000, 20_000];
const SMOKE_SIZES = [8, 16];
const FULL = 1;
const SMOKE_SCALE = 0.02;
/** The bar: 20,000 items in a quarter of an hour. */
const BAR_PER_MINUTE = 20_000 / 15;

const options = readBenchOptions();
const folder = await mkdtemp(join(tmpdir(), 'candor-synthesis-bench-'));
try {
  const sizes = options.isSmoke ? SMOKE_SIZES : SIZES;
  await cp(new URL('../examples/motors', import.meta.url), folder, { recursive: true });
  await makeMotorsFile(join(folder, 'motors.db'), 'sqlite', options.isSmoke ? SMOKE_SCALE : FULL);
  const rows = [];
  for (const items of sizes) rows.push(await measure(items));
  const last = rows.at(-1);
  printReport(
    {
      bench: 'synthesis',
      about: 'items of eight categories, each verified on the Motors database, without a model',
      rows,
      figures: {
        itemsPerMinute: last?.perMinute ?? 0,
        timesTheBar: Number(((last?.perMinute ?? 0) / BAR_PER_MINUTE).toFixed(2)),
        growth: growthExponent(rows.map(({ items, seconds }) => [items, seconds])),
      },
    },
    options,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

interface Measured {
  readonly [name: string]: number;
  readonly items: number;
  readonly seconds: number;
  readonly perMinute: number;
}

async function measure(items: number): Promise<Measured> {
  const config = await readConfig({ cwd: folder, project: folder });
  const session = await openSession(config);
  const engine = await connect(config.databaseUrl, { baseDirectory: folder });
  try {
    const report = await buildBench({
      ...{ session, engine, items, now: '2024-12-31', split: 'train', seed: 1, resume: false },
      file: join(folder, 'out', `${items}.jsonl`),
      signal: new AbortController().signal,
    });
    return {
      items: report.items,
      seconds: report.seconds,
      perMinute: Math.round((60 * report.items) / report.seconds),
      attempts: report.attempts,
      disagreements: report.dropped.disagreement ?? 0,
    };
  } finally {
    await engine.close();
    await session.close();
  }
}
