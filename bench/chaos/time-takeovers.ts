/** How soon a job goes on whose worker is killed while another worker has nothing to do. */
import { setTimeout as wait } from 'node:timers/promises';
import type { JobQueue } from '../../src/jobs/index.ts';
import { takeoverTimes, untilEnded } from './count-jobs.ts';
import type { Installation } from './installation.ts';
import type { Starter } from './starter.ts';
import { WorkerPool } from './worker-pool.ts';

const LONGEST_START_MS = 30_000;

/** Milliseconds, one for each kill that hit a job. */
export async function timeTakeovers(
  { root, projects }: Installation,
  { queue, starter, kills }: { readonly queue: JobQueue; readonly starter: Starter; readonly kills: number },
): Promise<number[]> {
  const deaths: { jobId: string; at: number }[] = [];
  const project = projects.at(-1);
  if (project === undefined) throw new Error('a project is needed');
  const pool = new WorkerPool({ root, workers: 2 });
  for (let killed = 0; killed < kills; killed++) {
    await untilReady(pool);
    const { id } = await starter.start(project, 'refresh');
    const worker = await holderOf(pool, id);
    if (worker === undefined) continue;
    const at = Date.now();
    if (await pool.strike(worker, 'kill')) deaths.push({ jobId: id, at });
    await untilEnded(queue, 60);
  }
  await pool.close();
  return takeoverTimes(queue, deaths);
}

async function untilReady(pool: WorkerPool): Promise<void> {
  for (let waited = 0; waited < LONGEST_START_MS; waited += 50) {
    if (pool.workers.length === 2 && pool.workers.every(({ isReady }) => isReady)) return;
    await wait(50);
  }
}

async function holderOf(pool: WorkerPool, id: string) {
  for (let waited = 0; waited < LONGEST_START_MS; waited += 10) {
    const holder = pool.workers.find(({ jobs }) => jobs.has(id));
    if (holder !== undefined) return holder;
    await wait(10);
  }
  return undefined;
}
