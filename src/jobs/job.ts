/** What background jobs are, for whoever shows or starts them. */

export const JOB_KINDS = ['onboard', 'refresh', 'usage', 'clusters', 'drift'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/**
 * `waiting` for a worker; `retrying` once its pause is over; `running`; and three ends, of which `failed` and
 * `cancelled` can be taken back by a retry.
 */
export const JOB_STATES = ['waiting', 'retrying', 'running', 'done', 'cancelled', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

export interface JobProgress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  readonly etaSeconds?: number;
  /** The table that was just done. */
  readonly table?: string;
}

/** Why an attempt, or the job, came to nothing. */
export interface JobError {
  readonly code: string;
  readonly message: string;
  /** What a person can do about it. */
  readonly next: string;
}

export interface JobAttempt {
  readonly number: number;
  /** Host, process and a few random letters. */
  readonly worker: string;
  /** ISO. */
  readonly beganAt: string;
  readonly endedAt?: string;
  /** Absent while it runs. `lost`: its worker died, or lost the database; `returned`: its worker was asked to end. */
  readonly outcome?: AttemptOutcome;
  readonly error?: JobError;
}

export type AttemptOutcome = 'done' | 'failed' | 'cancelled' | 'lost' | 'returned';

export interface Job {
  readonly id: string;
  /** Name of the workspace; empty for the project itself. */
  readonly project: string;
  readonly kind: JobKind;
  readonly state: JobState;
  /** Who started it: a person, or `schedule`. */
  readonly by: string;
  readonly createdAt: string;
  /** Of a waiting or retrying job: it is not taken before. */
  readonly notBefore?: string;
  readonly endedAt?: string;
  /** Somebody asked for its end; its worker has not answered yet. */
  readonly isCancelling: boolean;
  /** Of the attempt that runs, or of the last one. */
  readonly progress?: JobProgress;
  /** What a done job came to. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** Of a failed job, and of the last try of a retrying one. */
  readonly error?: JobError;
  /** The first one first. */
  readonly attempts: readonly JobAttempt[];
}

/** Where a job waits: one queue for each kind of each project. */
export function queueName(project: string, kind: JobKind): string {
  return project === '' ? kind : `${kind}@${project}`;
}

export function readQueueName(
  name: string,
): { readonly project: string; readonly kind: JobKind } | undefined {
  const [written = '', project = ''] = name.split('@', 2);
  const kind = JOB_KINDS.find((each) => each === written);
  return kind && { project, kind };
}
