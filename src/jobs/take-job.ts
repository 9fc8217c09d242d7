/** What a worker does to jobs whose queue it holds the lock of. Each is one transaction: all of it is kept, or nothing. */
import { inTransaction, type RunSql } from '../store/index.ts';
import type { AttemptOutcome, JobError, JobProgress } from './job.ts';
import type { JobQueue } from './job-queue.ts';
import { mustAffectOne, QUEUE_SCHEMA, within } from './open-boss.ts';
import { jobErrorOf } from './read-jobs.ts';

/** A job in work: its number tells this attempt from those that others make of the same job. */
export interface TakenJob {
  readonly id: string;
  readonly queue: string;
  readonly attempt: number;
}

export type JobEnd =
  | { readonly outcome: 'done'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly outcome: 'failed'; readonly error: JobError; readonly isFinal: boolean }
  | { readonly outcome: 'cancelled' | 'returned' };

/** A job whose worker has died so often is not given to yet another one. */
export const MOST_LOSSES = 25;
/** Deaths after which the next attempt follows at once; then it waits, up to a minute. */
const LOSSES_AT_ONCE = 5;

/** The queues among these that have something to do, the longest waiting first. */
export async function readyQueues(run: RunSql, queues: readonly string[]): Promise<string[]> {
  const rows = await run(
    `SELECT name FROM ${QUEUE_SCHEMA}.job
     WHERE name = ANY ($1) AND (state = 'active' OR (state < 'active' AND start_after < now()))
     GROUP BY name ORDER BY min(created_on)`,
    [queues],
  );
  return rows.map(({ name }) => String(name));
}

/**
 * Takes the next job of a queue. What is active there has lost its worker, since we hold the lock: it is given out again
 * before. Undefined: nothing to do now.
 */
export function takeJob(
  { state, boss }: JobQueue,
  queue: string,
  worker: string,
): Promise<TakenJob | undefined> {
  return state.session((run) =>
    inTransaction(run, async () => {
      await recoverLost({ boss }, run, queue);
      const [job] = await boss.fetch(queue, { db: within(run) });
      if (job === undefined) return undefined;
      const [made] = await run(
        `INSERT INTO candor.job_attempts (job_id, number, worker, progress)
         SELECT $1, 1 + coalesce(max(number), 0), $2, (array_agg(progress ORDER BY number DESC))[1]
         FROM candor.job_attempts WHERE job_id = $1 RETURNING number`,
        [job.id, worker],
      );
      return { id: job.id, queue, attempt: Number(made?.number) };
    }),
  );
}

/** Keeps the progress. `superseded`: somebody else has the job by now. */
export async function reportJob(
  { state }: JobQueue,
  { id, attempt }: TakenJob,
  progress: JobProgress | undefined,
): Promise<'go on' | 'cancel' | 'superseded'> {
  const [row] = await state.run(
    `WITH mine AS (UPDATE candor.job_attempts SET progress = coalesce($3::jsonb, progress)
       WHERE job_id = $1 AND number = $2 AND ended_at IS NULL RETURNING 1)
     SELECT (SELECT count(*) FROM mine)::int AS mine,
       EXISTS (SELECT 1 FROM candor.job_cancels WHERE job_id = $1) AS "isCancelled"`,
    [id, attempt, progress === undefined ? null : JSON.stringify(progress)],
  );
  if (row?.mine !== 1) return 'superseded';
  return row.isCancelled === true ? 'cancel' : 'go on';
}

/** Ends an attempt and, with it or for now, its job. False: it was not ours to end any more, and nothing has changed. */
export function endJob({ state, boss }: JobQueue, taken: TakenJob, end: JobEnd): Promise<boolean> {
  const { id, queue } = taken;
  return state.session((run) =>
    inTransaction(run, async () => {
      const error = end.outcome === 'failed' ? end.error : undefined;
      if (!(await endAttempt(run, taken, end.outcome, error))) return false;
      const options = { db: within(run) };
      switch (end.outcome) {
        case 'done':
          mustAffectOne('completing', await boss.complete(queue, id, end.result, options));
          break;
        case 'failed':
          if (end.isFinal)
            await run(
              `UPDATE ${QUEUE_SCHEMA}.job SET retry_limit = retry_count WHERE name = $1 AND id = $2`,
              [queue, id],
            );
          mustAffectOne('failing', await boss.fail(queue, id, end.error, options));
          break;
        case 'cancelled':
          mustAffectOne('cancelling', await boss.cancel(queue, id, options));
          break;
        case 'returned':
          await giveOutAgain(run, queue, id, 0);
      }
      return true;
    }),
  );
}

async function recoverLost({ boss }: Pick<JobQueue, 'boss'>, run: RunSql, queue: string): Promise<void> {
  const lost = await run(
    `SELECT j.id::text AS id, c.job_id IS NOT NULL AS "isCancelled",
       (SELECT count(*)::int FROM candor.job_attempts a
        WHERE a.job_id = j.id AND (a.outcome = 'lost' OR a.ended_at IS NULL)
          AND a.number > coalesce((j.data ->> 'retriedAfter')::int, 0)) AS losses
     FROM ${QUEUE_SCHEMA}.job j LEFT JOIN candor.job_cancels c ON c.job_id = j.id
     WHERE j.name = $1 AND j.state = 'active' FOR UPDATE OF j`,
    [queue],
  );
  for (const row of lost) {
    const id = String(row.id);
    const losses = Number(row.losses);
    await run(
      `UPDATE candor.job_attempts SET ended_at = now(), outcome = 'lost' WHERE job_id = $1 AND ended_at IS NULL`,
      [id],
    );
    const options = { db: within(run) };
    if (row.isCancelled === true) mustAffectOne('cancelling', await boss.cancel(queue, id, options));
    else if (losses < MOST_LOSSES)
      await giveOutAgain(
        run,
        queue,
        id,
        losses <= LOSSES_AT_ONCE ? 0 : Math.min(60, 2 ** (losses - LOSSES_AT_ONCE)),
      );
    else {
      await run(`UPDATE ${QUEUE_SCHEMA}.job SET retry_limit = retry_count WHERE name = $1 AND id = $2`, [
        queue,
        id,
      ]);
      const error = jobErrorOf({
        code: 'jobs.worker-lost',
        message: `${losses} workers have died over this job.`,
      });
      mustAffectOne('failing', await boss.fail(queue, id, error, options));
    }
  }
}

/** Without a start the library counts no try: what is not the job's fault costs it none. */
async function giveOutAgain(run: RunSql, queue: string, id: string, delaySeconds: number): Promise<void> {
  await run(
    `UPDATE ${QUEUE_SCHEMA}.job SET state = 'retry', started_on = NULL,
       start_after = now() + ($3::int - 1) * interval '1 s' WHERE name = $1 AND id = $2 AND state = 'active'`,
    [queue, id, delaySeconds],
  );
}

async function endAttempt(
  run: RunSql,
  { id, attempt }: TakenJob,
  outcome: AttemptOutcome,
  error: JobError | undefined,
): Promise<boolean> {
  const ended = await run(
    `UPDATE candor.job_attempts SET ended_at = now(), outcome = $3, error = $4
     WHERE job_id = $1 AND number = $2 AND ended_at IS NULL RETURNING 1`,
    [id, attempt, outcome, error === undefined ? null : JSON.stringify(error)],
  );
  return ended.length === 1;
}
