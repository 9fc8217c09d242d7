/**
 * Chaos over background jobs: workers are killed at any point of a job, their engine's processes too, PostgreSQL is cut off,
 * disks fill up, starts are sent twice. Counts what was lost or done twice, and compares the derived files with those of a
 * quiet run. It ends with 1 where anything is wrong.
 *
 *     npx tsx bench/chaos.ts [--kills <n>] [--smoke] [--output json]
 *
 * Ctrl-C ends the kills, not the counting.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { JobQueue } from '../src/jobs/index.ts';
import { seededRandom } from '../src/lib/seeded-random.ts';
import { type BenchOptions, orEnd, readOutput } from './bench-options.ts';
import { type Comparison, compareDerived } from './chaos/compare-derived.ts';
import { countJobs, settle, takeoverTimes, untilEnded } from './chaos/count-jobs.ts';
import { type FullDisks, fillDisks } from './chaos/fill-disks.ts';
import { type Installation, makeInstallation } from './chaos/installation.ts';
import { Starter } from './chaos/starter.ts';
import { timeTakeovers } from './chaos/time-takeovers.ts';
import { type PoolEvent, type PoolWorker, WorkerPool } from './chaos/worker-pool.ts';
import { printReport } from './print-report.ts';
import { startClock } from './start-clock.ts';

const options = orEnd(() => readOptions(process.argv.slice(2)));
const SIZES = options.isSmoke ? [2, 6] : [2, 2, 12, 60];
let wanted = options.kills;
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    wanted = 0;
  });
/** Kills between two cuts of PostgreSQL. */
const KILLS_TO_CUT = options.isSmoke ? 8 : 50;
const WORKERS = options.isSmoke ? 2 : 3;
const CUT_MS = 1_500;
const START_PAUSE_MS = options.isSmoke ? 150 : 60;
/** Beats that a job may have before its blow: most jobs here are shorter. */
const LATEST_BLOW_MS = 1_200;

const random = seededRandom(12);
const elapsed = startClock();
const installation = await makeInstallation(SIZES, options.isSmoke ? 200 : 2_000);
const queue = await JobQueue.open(installation.server.adminUrl, { limit: 4, delaySeconds: 1 });
try {
  const starter = new Starter(queue, random);
  const storm = await kill(installation, starter);
  const calm = await timeTakeovers(installation, { queue, starter, kills: options.isSmoke ? 1 : 20 });
  const full = await fillDisks(installation, { queue, starter, isSmoke: options.isSmoke });
  await report(installation, starter, { ...storm, ...full, calm });
} finally {
  await queue.close();
  await installation.remove();
}

interface Storm {
  /** Processes killed: those below together. */
  readonly kills: number;
  readonly workerKills: number;
  readonly engineKills: number;
  /** PostgreSQL, as by a power cut. */
  readonly cuts: number;
  /** Workers asked to end, which is no kill. */
  readonly terms: number;
  readonly deaths: readonly { readonly jobId: string; readonly at: number }[];
  readonly retriedByHand: number;
  readonly stormSeconds: number;
}

/** Starts jobs and ends processes, until enough were killed; then waits until all jobs have ended. */
async function kill({ root, server, projects }: Installation, starter: Starter): Promise<Storm> {
  const from = performance.now();
  const struck = { kill: 0, term: 0, child: 0 };
  let cuts = 0;
  const kills = (): number => struck.kill + struck.child + cuts;
  const deaths: { jobId: string; at: number }[] = [];
  let isOver = false;
  const strike = async (worker: PoolWorker): Promise<void> => {
    const draw = random();
    if (isOver || kills() >= wanted) return;
    const jobs = [...worker.jobs];
    const at = Date.now();
    const meant = draw < 0.6 ? 'kill' : draw < 0.95 ? 'child' : 'term';
    // An engine has a process of its own only while it reads.
    const isThere = meant !== 'child' || (await pool.strike(worker, 'child'));
    const blow = isThere ? meant : 'kill';
    if (blow !== 'child' && !(await pool.strike(worker, blow))) return;
    struck[blow] += 1;
    if (blow === 'kill') deaths.push(...jobs.map((jobId) => ({ jobId, at })));
  };
  const onEvent = ({ kind }: PoolEvent, worker: PoolWorker): void => {
    if (kind === 'taken' && random() < 0.9)
      setTimeout(() => void strike(worker), random() ** 2 * LATEST_BLOW_MS);
  };
  const pool = new WorkerPool({ root, workers: WORKERS, onEvent });
  const starting = (async () => {
    while (kills() < wanted) {
      await starter.startSome(projects);
      await wait(START_PAUSE_MS * 2 * random());
    }
  })();
  for (let told = 0; kills() < wanted; ) {
    await wait(100);
    if (kills() >= (cuts + 1) * KILLS_TO_CUT && kills() < wanted) {
      cuts += 1;
      await server.kill();
      await wait(CUT_MS * random());
      await server.restart();
    }
    if (kills() - told >= 100) {
      told = kills();
      process.stderr.write(
        `${told} kills, ${starter.accepted.size} jobs, ${Math.round((performance.now() - from) / 1_000)} s\n`,
      );
    }
  }
  await starting;
  isOver = true;
  const stormSeconds = (performance.now() - from) / 1_000;
  const retriedByHand = await untilEnded(queue, 600);
  await settle(starter, queue, projects);
  await pool.close();
  return {
    kills: kills(),
    workerKills: struck.kill,
    engineKills: struck.child,
    cuts,
    terms: struck.term,
    deaths,
    retriedByHand,
    stormSeconds,
  };
}

async function report(
  { projects }: Installation,
  starter: Starter,
  found: Storm & FullDisks & { readonly calm: readonly number[] },
): Promise<void> {
  const { deaths, retriedByHand, wrong, calm, ...done } = found;
  const counts = await countJobs(queue, starter, retriedByHand);
  const takeovers = await takeoverTimes(queue, deaths);
  const compared: Comparison[] = [];
  for (const project of projects) compared.push(await compareDerived(project));
  const differs = compared.flatMap((each) => each.differs);
  const rows = projects.map(({ name, tables }, index) => ({
    project: name === '' ? 'home' : name,
    tables,
    countedRuns: compared[index]?.countedRuns ?? 0,
    loggedRuns: compared[index]?.loggedRuns ?? 0,
    differs: compared[index]?.differs.join(' ') || 'nothing',
  }));
  const miscounted = rows.filter(({ countedRuns, loggedRuns }) => countedRuns !== loggedRuns).length;
  const figures = {
    ...counts,
    ...{ duplicates: starter.duplicates, coalesced: starter.coalesced, cancels: starter.cancels },
    ...done,
    ...{
      takeovers: takeovers.length,
      takeoverMsP50: share(takeovers, 0.5),
      takeoverMsMax: share(takeovers, 1),
    },
    ...{ freeWorkerMsP50: share(calm, 0.5), freeWorkerMsMax: share(calm, 1) },
    ...{ wrongAfterFullDisk: wrong, filesDiffer: differs.length, miscounted },
    leftovers: compared.reduce((sum, each) => sum + each.leftovers, 0),
    seconds: elapsed().seconds,
  };
  printReport(
    { bench: 'chaos', about: 'jobs while everything is killed, cut off or full', rows, figures },
    options,
  );
  const { lost, twice, unasked } = counts;
  if (lost + twice + unasked + differs.length + miscounted + wrong > 0) process.exitCode = 1;
}

function share(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

function readOptions(args: readonly string[]): BenchOptions & { readonly kills: number } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
      kills: { type: 'string', default: '1000' },
    },
  });
  const kills = Number(values.kills);
  if (!Number.isInteger(kills) || kills < 1)
    throw new RangeError(`--kills is a number above 0, not ${values.kills}`);
  return { isSmoke: values.smoke, output: readOutput(values.output), kills: values.smoke ? 10 : kills };
}
