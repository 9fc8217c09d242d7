/**
 * The query log of a company, up to 100 million runs in a DuckDB file, grouped where it lies: time and memory of the first
 * ingestion, of one more day, and of reading what it says; beside DuckDB grouping all of it in one statement.
 * `npx tsx bench/lake/usage.ts [--smoke] [--output json] [--sizes 10000,100000] [--with earlier.json] [--plots]`
 */
import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { orEnd } from '../bench-options.ts';
import { growthExponent } from '../figures.ts';
import { printReport } from '../print-report.ts';
import { readLakeOptions } from './lake-options.ts';
import { renderGrowth } from './plot-growth.ts';

/** Statements are parsed, one for each table and seven constants: their log is measured up to this size. */
const MOST_FOR_STATEMENTS = 100_000;
const PLOT = fileURLToPath(new URL('../../docs/guides/plots/lake-usage.svg', import.meta.url));

const OUTCOME = z.object({
  kind: z.string(),
  rows: z.number(),
  tables: z.number(),
  users: z.number(),
  makeSeconds: z.number(),
  engineSeconds: z.number(),
  groups: z.number(),
  seconds: z.number(),
  cpuSeconds: z.number(),
  rowsPerSecond: z.number(),
  peakMb: z.number(),
  fileMb: z.number(),
  daySeconds: z.number(),
  /** Of each table, counted and kept for sessions over a lake. */
  popularitySeconds: z.number(),
  readSeconds: z.number(),
  readPeakMb: z.number(),
  accesses: z.number(),
});
type Outcome = z.infer<typeof OUTCOME>;

const options = orEnd(() => readLakeOptions(process.argv.slice(2)));
const outcomes: Outcome[] = options.earlier.map((row) => OUTCOME.parse(row));
for (const size of options.sizes)
  for (const kind of size <= MOST_FOR_STATEMENTS ? ['tables', 'statements'] : ['tables']) {
    outcomes.push(await measure(size, kind));
    process.stderr.write(`lake/usage: ${JSON.stringify(outcomes.at(-1))}\n`);
  }
outcomes.sort((a, b) => a.rows - b.rows || (a.kind < b.kind ? -1 : 1));
const byTable = outcomes.filter(({ kind }) => kind === 'tables');
const points = (cost: (outcome: Outcome) => number): [size: number, cost: number][] =>
  byTable.map((outcome) => [outcome.rows, cost(outcome)]);
const growthOf = (cost: (outcome: Outcome) => number): number =>
  byTable.length < 2 ? 0 : growthExponent(points(cost));
if (options.plots)
  await writeFile(
    PLOT,
    renderGrowth({
      ...{ title: 'Query logs of a lake', x: 'runs in the log', y: 'seconds' },
      lines: [
        { name: 'all days', points: points(({ seconds }) => seconds) },
        { name: 'one more day', points: points(({ daySeconds }) => daySeconds) },
        { name: 'DuckDB alone, one GROUP BY', points: points(({ engineSeconds }) => engineSeconds) },
      ],
    }),
  );
printReport(
  {
    bench: 'lake-usage',
    about:
      'a log in DuckDB, grouped by user, table or statement, and day; peak memory of the process, without the engine',
    rows: outcomes,
    figures: {
      timeGrowth: growthOf(({ cpuSeconds }) => cpuSeconds),
      memoryGrowth: growthOf(({ peakMb }) => peakMb),
      dayGrowth: growthOf(({ daySeconds }) => daySeconds),
    },
  },
  options,
);

/** In a process of its own, so that its memory is that of the work alone. */
function measure(size: number, kind: string): Promise<Outcome> {
  const script = fileURLToPath(new URL('./usage-worker.ts', import.meta.url));
  const worker = fork(script, [String(size), kind], { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    worker.once('message', (message) => resolve(OUTCOME.parse(message)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
  });
}
