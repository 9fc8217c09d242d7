/** Jobs as the tables of the queue and ours tell of them together. */
import { z } from 'zod';
import { ERROR_TABLE } from '../errors.ts';
import type { RunSql, SharedRow } from '../store/index.ts';
import { type Job, type JobError, type JobState, readQueueName } from './job.ts';
import { QUEUE_SCHEMA } from './open-boss.ts';

export interface JobFilter {
  readonly queues?: readonly string[];
  readonly ids?: readonly string[];
  readonly states?: readonly JobState[];
  readonly limit: number;
}

const STATES: Readonly<Record<string, JobState>> = {
  created: 'waiting',
  retry: 'retrying',
  active: 'running',
  completed: 'done',
  cancelled: 'cancelled',
  failed: 'failed',
};

const TIME = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());
const ERROR = z.object({ code: z.string(), message: z.string(), next: z.string() });
const PROGRESS = z.object({
  stage: z.string(),
  done: z.number(),
  total: z.number(),
  etaSeconds: z.number().optional(),
  table: z.string().optional(),
});
const ATTEMPT = z.object({
  number: z.number(),
  worker: z.string(),
  beganAt: TIME,
  endedAt: TIME.nullable(),
  outcome: z.enum(['done', 'failed', 'cancelled', 'lost', 'returned']).nullable(),
  error: ERROR.nullable(),
  progress: PROGRESS.nullable(),
});
const ROW = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  who: z.string(),
  output: z.record(z.string(), z.unknown()).nullable(),
  createdAt: z.date(),
  startAfter: z.date(),
  endedAt: z.date().nullable(),
  isCancelling: z.boolean(),
  attempts: z.array(ATTEMPT),
});

/** The newest first. Jobs of kinds that this version does not know are left out. */
export async function readJobs(run: RunSql, { queues, ids, states, limit }: JobFilter): Promise<Job[]> {
  const stored = Object.entries(STATES).flatMap(([name, state]) => (states?.includes(state) ? [name] : []));
  const rows = await run(
    `SELECT j.id::text AS id, j.name, j.state::text AS state, j.data ->> 'by' AS who, j.output,
       j.created_on AS "createdAt", j.start_after AS "startAfter", j.completed_on AS "endedAt",
       c.job_id IS NOT NULL AND j.state = 'active' AS "isCancelling",
       (SELECT coalesce(jsonb_agg(jsonb_build_object('number', a.number, 'worker', a.worker, 'beganAt', a.began_at,
           'endedAt', a.ended_at, 'outcome', a.outcome, 'error', a.error, 'progress', a.progress) ORDER BY a.number), '[]')
         FROM candor.job_attempts a WHERE a.job_id = j.id) AS attempts
     FROM ${QUEUE_SCHEMA}.job j LEFT JOIN candor.job_cancels c ON c.job_id = j.id
     WHERE ($1::text[] IS NULL OR j.name = ANY ($1)) AND ($2::uuid[] IS NULL OR j.id = ANY ($2))
       AND ($3::text[] IS NULL OR j.state::text = ANY ($3))
     ORDER BY j.created_on DESC, j.id LIMIT $4`,
    [queues ?? null, ids ?? null, states === undefined ? null : stored, limit],
  );
  return rows.flatMap((row) => jobOf(row) ?? []);
}

function jobOf(given: SharedRow): Job | undefined {
  const row = ROW.parse(given);
  const queue = readQueueName(row.name);
  const state = STATES[row.state];
  if (queue === undefined || state === undefined) return undefined;
  const last = row.attempts.at(-1);
  const isAhead = state === 'waiting' || state === 'retrying';
  const failure = state === 'failed' || state === 'retrying' ? errorOf(row.output, last?.error) : undefined;
  return {
    ...{ id: row.id, ...queue, state, by: row.who, isCancelling: row.isCancelling },
    createdAt: row.createdAt.toISOString(),
    ...(isAhead && { notBefore: row.startAfter.toISOString() }),
    ...(row.endedAt !== null && { endedAt: row.endedAt.toISOString() }),
    ...(last?.progress && { progress: withoutAbsent(last.progress) }),
    ...(state === 'done' && { result: row.output ?? {} }),
    ...(failure && { error: failure }),
    attempts: row.attempts.map(({ progress: _, endedAt, outcome, error, ...attempt }) => ({
      ...attempt,
      ...(endedAt !== null && { endedAt }),
      ...(outcome !== null && { outcome }),
      ...(error !== null && { error }),
    })),
  };
}

/** What the queue keeps of a failure; where it keeps none, what the attempt said. */
function errorOf(output: unknown, last: JobError | null | undefined): JobError | undefined {
  const kept = ERROR.safeParse(output);
  return kept.success ? kept.data : (last ?? undefined);
}

function withoutAbsent({
  etaSeconds,
  table,
  ...rest
}: z.infer<typeof PROGRESS>): NonNullable<Job['progress']> {
  return { ...rest, ...(etaSeconds !== undefined && { etaSeconds }), ...(table !== undefined && { table }) };
}

/** A failure as it is kept with a job. */
export function jobErrorOf({
  code,
  message,
}: {
  readonly code: keyof typeof ERROR_TABLE;
  readonly message: string;
}): JobError {
  return { code, message: message.slice(0, 2_000), next: ERROR_TABLE[code].next };
}
