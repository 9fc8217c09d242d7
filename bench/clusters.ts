/**
 * Clusters of tables beside scikit-learn's FastICA: the published trial, then companies of growing size.
 * `npx tsx bench/clusters.ts [--smoke] [--output json]`; the first run installs scikit-learn into `.cache/`.
 */
import {
  clusterTables,
  componentCount,
  DEFAULT_CLUSTER_SETTINGS,
} from '../src/knowledge/clusters/cluster-tables.ts';
import { assignSoftly, softClusters } from '../src/knowledge/clusters/factors/soft-clusters.ts';
import { readBenchOptions } from './bench-options.ts';
import { runSklearn } from './clusters/run-sklearn.ts';
import { prepareSklearn, SklearnMissingError } from './clusters/sklearn-environment.ts';
import { type CompanyOptions, makeTeamUsage, type TeamUsage, TRIAL_COMPANY } from './clusters/team-usage.ts';
import { CLUSTER_SIZE, judge, runTrial, TRIAL_CASES, trialMatrix } from './clusters/trial.ts';
import { printReport } from './print-report.ts';
import { startClock } from './start-clock.ts';

interface Row extends Readonly<Record<string, string | number>> {
  readonly what: string;
  readonly cells: number;
  readonly oursSeconds: number;
  /** Of the processor: what a machine with nothing else to do would take. */
  readonly oursCpuSeconds: number;
  readonly peerSeconds: number | string;
  readonly oursPurity: number;
  readonly peerPurity: number | string;
  readonly oursRecall: number;
  readonly peerRecall: number | string;
}

/** Companies of the trial; figures are means over them. */
const TRIAL_SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const COMPANIES: readonly (Omit<CompanyOptions, 'seed'> & { readonly isForPeer: boolean })[] = [
  { teams: 30, tables: 3_000, users: 500, companyTables: 15, tablesPerUser: 60, skew: 0.5, isForPeer: true },
  {
    teams: 60,
    tables: 15_000,
    users: 1_500,
    companyTables: 20,
    tablesPerUser: 120,
    skew: 0.5,
    isForPeer: true,
  },
  // Made dense, these cells are 4 GB, and the decomposition of the peer needs that several times.
  {
    teams: 150,
    tables: 100_000,
    users: 5_000,
    companyTables: 30,
    tablesPerUser: 200,
    skew: 0.5,
    isForPeer: false,
  },
];

const options = readBenchOptions();
const say = (line: string): void => void process.stderr.write(`clusters: ${line}\n`);
const python = await prepareSklearn(say).catch((error: unknown) => {
  if (!(error instanceof SklearnMissingError)) throw error;
  say(`nothing was measured: ${error.message}`);
  return undefined;
});
if (python === undefined) process.exitCode = 3;
else await report(python);

async function report(peer: string): Promise<void> {
  const seeds = options.isSmoke ? TRIAL_SEEDS.slice(0, 1) : TRIAL_SEEDS;
  const rows: Row[] = [];
  for (const row of TRIAL_CASES) rows.push(await measureTrial(row, seeds, peer));
  const published = TRIAL_CASES.flatMap(({ purity, recall }, at) => [
    Math.abs((rows[at]?.oursPurity ?? 0) - purity),
    Math.abs((rows[at]?.oursRecall ?? 0) - recall),
  ]);
  for (const company of options.isSmoke ? [] : COMPANIES) rows.push(await measureCompany(company, peer));
  printReport(
    {
      bench: 'clusters',
      about: `clusters of tables by who reads them, and scikit-learn's FastICA on the same cells; trial: mean of ${seeds.length}`,
      rows,
      figures: { furthestFromPublished: Math.max(...published), lastSeconds: rows.at(-1)?.oursSeconds ?? 0 },
    },
    options,
  );
}

async function measureTrial(
  row: (typeof TRIAL_CASES)[number],
  seeds: readonly number[],
  peer: string,
): Promise<Row> {
  const sums = {
    cells: 0,
    oursSeconds: 0,
    oursCpuSeconds: 0,
    peerSeconds: 0,
    oursPurity: 0,
    peerPurity: 0,
    oursRecall: 0,
    peerRecall: 0,
  };
  for (const seed of seeds) {
    const usage = makeTeamUsage({ ...TRIAL_COMPANY, seed });
    const clock = startClock();
    const ours = await runTrial(usage, row);
    const { seconds, cpuSeconds } = clock();
    sums.oursSeconds += seconds;
    sums.oursCpuSeconds += cpuSeconds;
    const theirs = await judgePeer(peer, usage, row);
    sums.cells += theirs.cells;
    sums.peerSeconds += theirs.seconds;
    sums.oursPurity += ours.purity;
    sums.peerPurity += theirs.purity;
    sums.oursRecall += ours.recall;
    sums.peerRecall += theirs.recall;
  }
  const mean = (sum: number): number => sum / seeds.length;
  return {
    what: `trial: ${row.name} (published ${row.purity} / ${row.recall})`,
    cells: Math.round(mean(sums.cells)),
    oursSeconds: mean(sums.oursSeconds),
    oursCpuSeconds: mean(sums.oursCpuSeconds),
    peerSeconds: mean(sums.peerSeconds),
    oursPurity: mean(sums.oursPurity),
    peerPurity: mean(sums.peerPurity),
    oursRecall: mean(sums.oursRecall),
    peerRecall: mean(sums.peerRecall),
  };
}

/** Ours from the accesses to the clusters of every user; the peer's components alone, from a dense matrix. */
async function measureCompany(company: (typeof COMPANIES)[number], peer: string): Promise<Row> {
  const usage = makeTeamUsage({ ...company, seed: 1 });
  const matrix = trialMatrix(usage, true);
  const components = componentCount(matrix.tables.length, {});
  let iterations = 0;
  const clock = startClock();
  const clustering = await clusterTables(usage.accesses, DEFAULT_CLUSTER_SETTINGS, {
    at: '2025-01-31',
    onProgress: ({ stage, done }) => {
      if (stage === 'separate') iterations = done;
    },
  });
  const { seconds: oursSeconds, cpuSeconds: oursCpuSeconds } = clock();
  const what = `${company.tables} tables × ${company.users} users, C = ${components}`;
  say(
    `${what}: ${oursSeconds.toFixed(1)} s, ${iterations} iterations${clustering.isUnsettled ? ', unsettled' : ''}`,
  );
  const ours = judge(usage, clustering.clusters);
  const theirs = company.isForPeer ? await judgePeer(peer, usage, { isLog: true, components }) : undefined;
  return {
    what,
    cells: matrix.values.length,
    oursSeconds,
    oursCpuSeconds,
    peerSeconds: theirs?.seconds ?? 'too large',
    oursPurity: ours.purity,
    peerPurity: theirs?.purity ?? 'too large',
    oursRecall: ours.recall,
    peerRecall: theirs?.recall ?? 'too large',
  };
}

/** The peer's components, made into clusters by our Algorithm 1. */
async function judgePeer(
  peer: string,
  usage: TeamUsage,
  { isLog, components }: { readonly isLog: boolean; readonly components: number },
): Promise<{ seconds: number; cells: number; purity: number; recall: number }> {
  const matrix = trialMatrix(usage, isLog);
  const { seconds, scores } = await runSklearn(peer, matrix, components);
  const panel = { first: 0, components, columns: components, scores: Float32Array.from(scores) };
  const shape = { components, size: CLUSTER_SIZE };
  const clusters = softClusters(matrix.tables, await assignSoftly([panel], matrix.tables.length, shape));
  return { seconds, cells: matrix.values.length, ...judge(usage, clusters) };
}
