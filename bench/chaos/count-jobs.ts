/** What became of the jobs, as the queue tells it afterwards. */
import { setTimeout as wait } from 'node:timers/promises';
import type { JobQueue } from '../../src/jobs/index.ts';
import type { ChaosProject } from './installation.ts';
import { type Starter, untilAnswered } from './starter.ts';

export interface JobCounts {
  readonly accepted: number;
  readonly done: number;
  readonly cancelled: number;
  /** Ended with an error, which people see; they were let go on, and are done as well by now. */
  readonly retriedByHand: number;
  /** Accepted, and not there any more, or not ended. */
  readonly lost: number;
  /** There, and never started by anybody. */
  readonly unasked: number;
  /** Done by more than one attempt, or begun while another of the same project and kind ran. */
  readonly twice: number;
  readonly attempts: number;
}

const LOOK_MS = 500;
const MOST_RETRIES = 5;

/** Waits until every job has ended, and lets those that have failed go on as a person would. */
export async function untilEnded(queue: JobQueue, seconds: number): Promise<number> {
  const deadline = performance.now() + seconds * 1_000;
  const retries = new Map<string, number>();
  while (performance.now() < deadline) {
    const open = await untilAnswered(() =>
      queue.list({ states: ['waiting', 'retrying', 'running', 'failed'], limit: 10_000 }),
    );
    const failed = open.filter(
      ({ id, state }) => state === 'failed' && (retries.get(id) ?? 0) < MOST_RETRIES,
    );
    for (const { id } of failed) {
      retries.set(id, (retries.get(id) ?? 0) + 1);
      await queue.retry(id);
    }
    if (failed.length === 0 && open.every(({ state }) => state === 'failed')) break;
    await wait(LOOK_MS);
  }
  return retries.size;
}

export async function countJobs(
  queue: JobQueue,
  { accepted }: Starter,
  retriedByHand: number,
): Promise<JobCounts> {
  const jobs = await queue.list({ limit: 1_000_000 });
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const ended = [...accepted.keys()].map((id) => byId.get(id)?.state);
  const count = (state: string): number => ended.filter((each) => each === state).length;
  const doneTwice = jobs.filter(
    ({ attempts }) => attempts.filter(({ outcome }) => outcome === 'done').length > 1,
  );
  const [overlapping] = await queue.state.run(
    `SELECT count(*)::int AS count FROM (
       SELECT a.began_at, max(coalesce(a.ended_at, 'infinity')) OVER (PARTITION BY j.name ORDER BY a.began_at, a.number
         ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
       FROM candor.job_attempts a JOIN candor_queue.job j ON j.id = a.job_id) each WHERE began_at < before`,
  );
  return {
    accepted: accepted.size,
    done: count('done'),
    cancelled: count('cancelled'),
    retriedByHand,
    lost: accepted.size - count('done') - count('cancelled'),
    unasked: jobs.filter(({ id }) => !accepted.has(id)).length,
    twice: doneTwice.length + Number(overlapping?.count),
    attempts: jobs.reduce((sum, { attempts }) => sum + attempts.length, 0),
  };
}

/** Milliseconds from a worker's death until another attempt of its job began, one for each death that another followed. */
export async function takeoverTimes(
  queue: JobQueue,
  deaths: readonly { readonly jobId: string; readonly at: number }[],
): Promise<number[]> {
  const jobs = new Map((await queue.list({ limit: 1_000_000 })).map((job) => [job.id, job]));
  return deaths.flatMap(({ jobId, at }) => {
    const attempts = jobs.get(jobId)?.attempts ?? [];
    const lost = attempts.findIndex(
      ({ beganAt, endedAt, outcome }) =>
        outcome === 'lost' && Date.parse(beganAt) <= at && at <= Date.parse(endedAt ?? beganAt),
    );
    const next = attempts[lost + 1];
    return lost < 0 || next === undefined ? [] : [Date.parse(next.beganAt) - at];
  });
}

/** Each kind once more for each project, so that all derived files are of the last rows and lines. */
export async function settle(
  starter: Starter,
  queue: JobQueue,
  projects: readonly ChaosProject[],
): Promise<void> {
  for (const kind of ['refresh', 'usage', 'clusters', 'onboard'] as const) {
    for (const project of projects) await starter.start(project, kind);
    await untilEnded(queue, 300);
  }
}
