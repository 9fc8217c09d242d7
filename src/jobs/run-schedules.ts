/** Starts what candor.yml schedules. Which minute it is the database says, so that all workers agree. */
import { parseCron } from '../config/index.ts';
import { inTransaction, type RunSql } from '../store/index.ts';
import { JOB_KINDS, queueName } from './job.ts';
import type { JobQueue } from './job-queue.ts';

export interface ProjectSchedule {
  readonly project: string;
  /** Cron lines by kinds of jobs. */
  readonly schedule: Readonly<Record<string, string>>;
}

const MINUTE_MS = 60_000;
/** A time that was missed since nobody worked is made up for within a day. */
const MOST_MINUTES = 1_440;

/** Starts each job whose time has come since anybody looked: once, however many look, and once however many times it missed. */
export async function runSchedules(queue: JobQueue, projects: readonly ProjectSchedule[]): Promise<number> {
  let started = 0;
  for (const { project, schedule } of projects)
    for (const kind of JOB_KINDS) {
      const cron = schedule[kind];
      if (cron === undefined) continue;
      const name = queueName(project, kind);
      await queue.state.session((run) =>
        inTransaction(run, async () => {
          if (!(await isDue(run, name, cron))) return;
          await queue.startWithin(run, name, { by: 'schedule' });
          started += 1;
        }),
      );
    }
  return started;
}

/** A schedule that is new, or was changed, begins now. */
async function isDue(run: RunSql, queue: string, cron: string): Promise<boolean> {
  await run('INSERT INTO candor.job_schedules VALUES ($1, $2, now()) ON CONFLICT DO NOTHING', [queue, cron]);
  const [row] = await run(
    `SELECT cron, (extract(epoch FROM looked_at) * 1000)::float8 AS "lookedAt", (extract(epoch FROM now()) * 1000)::float8 AS now
     FROM candor.job_schedules WHERE queue = $1 FOR UPDATE`,
    [queue],
  );
  await run('UPDATE candor.job_schedules SET cron = $2, looked_at = now() WHERE queue = $1', [queue, cron]);
  if (row?.cron !== cron) return false;
  const { matches } = parseCron(cron);
  const [lastMinute, thisMinute] = [row.lookedAt, row.now].map((ms) => Math.floor(Number(ms) / MINUTE_MS));
  if (lastMinute === undefined || thisMinute === undefined) return false;
  for (let minute = Math.max(lastMinute + 1, thisMinute - MOST_MINUTES); minute <= thisMinute; minute++)
    if (matches(new Date(minute * MINUTE_MS))) return true;
  return false;
}
