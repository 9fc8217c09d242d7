/**
 * Clusters of a company with up to a million tables and 50,000 users: time, memory, how well teams are found again, the
 * scope of one person, and what one hundredth of drift costs.
 * `npx tsx bench/lake/clusters.ts [--smoke] [--output json] [--sizes 10000,100000] [--components 200] [--with earlier.json] [--plots]`
 */
import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { orEnd } from '../bench-options.ts';
import { prepareSklearn, SklearnMissingError } from '../clusters/sklearn-environment.ts';
import { growthExponent } from '../figures.ts';
import { printReport } from '../print-report.ts';
import { readLakeOptions } from './lake-options.ts';
import { renderGrowth } from './plot-growth.ts';

/** Beyond this a second full run, to compare with, takes too long, and the peer's dense matrix does not fit. */
const MOST_JUDGED = 100_000;
const MOST_FOR_PEER = 10_000;
const PLOTS = fileURLToPath(new URL('../../docs/guides/plots/', import.meta.url));

/** `-` where it was not measured. */
const OPTIONAL = z.union([z.number(), z.literal('-')]).default('-');
const OUTCOME = z.object({
  tables: z.number(),
  users: z.number(),
  teams: z.number(),
  usedTables: z.number(),
  cells: z.number(),
  components: z.number(),
  iterations: z.number(),
  seconds: z.number(),
  cpuSeconds: z.number(),
  peakMb: z.number(),
  purity: z.number(),
  recall: z.number(),
  scopeFirstMs: z.number(),
  scopeP50Ms: z.number(),
  scopeP95Ms: z.number(),
  scopeTables: z.number(),
  changedTables: z.number(),
  changedUsers: z.number(),
  refreshSeconds: z.number(),
  refreshShare: z.number(),
  refreshCpuShare: z.number(),
  purityAfter: z.number(),
  /** Share of the tables in the same cluster: folded in and clustered anew; clustered before and after the drift. */
  sameCluster: OPTIONAL,
  sameOfFullRuns: OPTIONAL,
  peerSeconds: OPTIONAL,
  peerMb: OPTIONAL,
});
type Outcome = z.infer<typeof OUTCOME>;

const options = orEnd(() => readLakeOptions(process.argv.slice(2)));
const say = (line: string): void => void process.stderr.write(`lake/clusters: ${line}\n`);
const python = await prepareSklearn(say, { mayInstall: !options.isSmoke }).catch((error: unknown) => {
  if (!(error instanceof SklearnMissingError)) throw error;
  say(`without the peer: ${error.message}`);
  return '';
});
const outcomes: Outcome[] = options.earlier.map((row) => OUTCOME.parse(row));
for (const size of options.sizes) {
  outcomes.push(await measure(size));
  say(JSON.stringify(outcomes.at(-1)));
}
outcomes.sort((a, b) => a.tables - b.tables);
if (options.plots) await writePlots();
printReport(
  {
    bench: 'lake-clusters',
    about:
      'from accesses to stored clusters of tables and users; the scope of users never asked about; 1 % drift folded in',
    rows: outcomes,
    figures: {
      timeGrowth: growthOf(({ cpuSeconds }) => cpuSeconds),
      memoryGrowth: growthOf(({ peakMb }) => peakMb),
      scopeGrowth: growthOf(({ scopeP95Ms }) => scopeP95Ms),
      refreshGrowth: growthOf(({ refreshSeconds }) => refreshSeconds),
    },
  },
  options,
);

function measure(size: number): Promise<Outcome> {
  const script = fileURLToPath(new URL('./clusters-worker.ts', import.meta.url));
  const peer = size <= MOST_FOR_PEER ? python : '';
  const worker = fork(
    script,
    [String(size), String(size <= MOST_JUDGED), peer, String(options.components ?? '')],
    {
      execArgv: ['--import', 'tsx'],
    },
  );
  return new Promise((resolve, reject) => {
    worker.once('message', (message) => resolve(OUTCOME.parse(message)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
  });
}

/** Of one size alone there is none. */
function growthOf(cost: (outcome: Outcome) => number): number {
  return outcomes.length < 2 ? 0 : growthExponent(points(cost));
}

function points(cost: (outcome: Outcome) => number): [size: number, cost: number][] {
  return outcomes.map((outcome) => [outcome.tables, cost(outcome)]);
}

async function writePlots(): Promise<void> {
  const clusters = renderGrowth({
    ...{ title: 'Clusters of a lake', x: 'tables', y: 'seconds' },
    lines: [
      { name: 'all clustered', points: points(({ seconds }) => seconds) },
      { name: '1 % drift folded in', points: points(({ refreshSeconds }) => refreshSeconds) },
    ],
  });
  const scope = renderGrowth({
    ...{ title: 'Scope of one person', x: 'tables', y: 'milliseconds' },
    lines: [
      { name: 'p95', points: points(({ scopeP95Ms }) => scopeP95Ms) },
      { name: 'p50', points: points(({ scopeP50Ms }) => scopeP50Ms) },
    ],
  });
  await writeFile(`${PLOTS}lake-clusters.svg`, clusters);
  await writeFile(`${PLOTS}lake-scope.svg`, scope);
}
