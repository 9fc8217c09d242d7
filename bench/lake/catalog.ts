/** A lake of tables at several sizes: its catalog onboarded and refreshed, tables looked up, questions asked of it. */
import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type BenchOptions, orEnd, readOutput } from '../bench-options.ts';
import { growthExponent } from '../figures.ts';
import { printReport } from '../print-report.ts';
import { benchCompany, INDEX_FILE } from './bench-company.ts';
import { writeIndex } from './company-source.ts';
import { renderGrowth } from './plot-growth.ts';

const OUTCOME = z.record(z.string(), z.number());
type Outcome = z.infer<typeof OUTCOME>;

interface CatalogOptions extends BenchOptions {
  readonly sizes: readonly number[];
  readonly questions: number;
  /** Where the plot goes; absent: none is drawn. */
  readonly plot: string | undefined;
}

const options = orEnd(() => readOptions(process.argv.slice(2)));
const rows: Outcome[] = [];
for (const size of options.sizes) rows.push(await measure(size));
const of = (key: string): [number, number][] => rows.map((row) => [row.tables ?? 0, row[key] ?? 0]);
const last = rows.at(-1) ?? {};
printReport(
  {
    bench: 'lake-catalog',
    about:
      'a made company whose tables drift by 1 %: catalog onboarded and refreshed, 50 tables looked up, questions of ' +
      'different people in their scope and over the whole lake; beside it plain FTS5 over the same texts',
    rows,
    figures: {
      refreshPercent: percent(last.driftSeconds, last.fullSeconds),
      refreshCpuPercent: percent(last.driftCpuSeconds, last.fullCpuSeconds),
      refreshPercentWithoutSource: percent(
        (last.driftSeconds ?? 0) - (last.driftSourceSeconds ?? 0),
        (last.fullSeconds ?? 0) - (last.fullSourceSeconds ?? 0),
      ),
      ...(rows.length > 1 && {
        fullGrowth: growthExponent(of('fullSeconds')),
        driftGrowth: growthExponent(of('driftSeconds')),
        scopedP95Growth: growthExponent(of('scopedP95Ms')),
        ftsP95Growth: growthExponent(of('ftsP95Ms')),
        memoryGrowth: growthExponent(of('searchMb')),
      }),
    },
  },
  options,
);
if (options.plot !== undefined) await writeFile(options.plot, draw());

function readOptions(args: string[]): CatalogOptions {
  const { values } = parseArgs({
    args,
    options: {
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
      sizes: { type: 'string', default: '10000,100000,1000000' },
      questions: { type: 'string', default: '240' },
      plot: { type: 'string' },
    },
  });
  const sizes = values.sizes.split(',').map(Number);
  const questions = Number(values.questions);
  if ([...sizes, questions].some((each) => !Number.isInteger(each) || each < 100))
    throw new RangeError('--sizes are whole numbers of 100 or more, and --questions is one');
  return {
    ...{ isSmoke: values.smoke, output: readOutput(values.output), plot: values.plot },
    ...(values.smoke ? { sizes: [200, 400], questions: 16 } : { sizes, questions }),
  };
}

function percent(part = 0, whole = 0): number {
  return (100 * part) / whole;
}

/** In a process of its own, so that its memory is that of one size alone. */
async function measure(tables: number): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-bench-'));
  try {
    await writeIndex(benchCompany(tables, options.questions), join(folder, INDEX_FILE));
    const script = fileURLToPath(new URL('./catalog-worker.ts', import.meta.url));
    const worker = fork(script, [folder, String(tables), String(options.questions)], {
      execArgv: ['--import', 'tsx'],
    });
    return await new Promise((resolve, reject) => {
      worker.once('message', (message) => resolve(OUTCOME.parse(message)));
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function draw(): string {
  return renderGrowth({
    title: 'A lake of tables: cost against size',
    x: 'tables',
    y: 'milliseconds',
    lines: [
      { name: 'whole catalog', points: of('fullSeconds').map(([size, seconds]) => [size, seconds * 1000]) },
      {
        name: 'refresh at 1 % drift',
        points: of('driftSeconds').map(([size, seconds]) => [size, seconds * 1000]),
      },
      { name: 'question in a scope, p95', points: of('scopedP95Ms') },
      { name: 'plain FTS5, p95', points: of('ftsP95Ms') },
    ],
  });
}
