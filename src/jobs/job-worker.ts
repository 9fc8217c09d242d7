import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { type CandorError, toCandorError } from '../errors.ts';
import { holdLock, SessionLocks } from '../store/index.ts';
import { doJob, type JobResult } from './do-job.ts';
import { JOB_KINDS, type JobKind, type JobProgress, queueName } from './job.ts';
import type { JobQueue } from './job-queue.ts';
import { jobErrorOf } from './read-jobs.ts';
import { runSchedules } from './run-schedules.ts';
import { endJob, type JobEnd, readyQueues, reportJob, type TakenJob, takeJob } from './take-job.ts';

export interface WorkerProject {
  /** Name of the workspace; empty for the project itself. */
  readonly name: string;
  /** Reads `candor.yml` anew: each job takes what holds then. */
  readonly readConfig: () => Promise<Config>;
}

interface ChangedFiles {
  readonly project: string;
  readonly kind: JobKind;
  readonly config: Config;
  readonly signal: AbortSignal;
}

export interface WorkerOptions {
  /** Unlike that of any other worker: host, process and something random. */
  readonly name: string;
  readonly projects: readonly WorkerProject[];
  /**
   * Runs after a job has changed derived files and before it counts as done: where it throws, the job has failed and is
   * tried again, so it must be something that can be done twice.
   */
  readonly afterChange?: (changed: ChangedFiles) => Promise<void>;
  /** Jobs at the same time (default: 1). */
  readonly atOnce?: number;
  /** How long jobs may go on once the worker is asked to end; then they are given back (default: 10 s). */
  readonly graceMs?: number;
  /** How often to look for jobs, and to write the progress of those in work (default: 1 s). */
  readonly pollMs?: number;
  readonly onEvent?: (event: WorkerEvent) => void;
}

export type WorkerEvent =
  | { readonly kind: 'taken' | 'superseded'; readonly job: TakenJob }
  | { readonly kind: 'ended'; readonly job: TakenJob; readonly end: JobEnd }
  | { readonly kind: 'trouble'; readonly error: CandorError };

/** Why a running job is told to stop. */
type StopReason = 'cancelled' | 'returned' | 'lost';

/** Beside derived files: shared by the jobs at work on them, held alone by who replaces the files. */
export const JOBS_LOCK = 'jobs.lock';
const POLL_MS = 1_000;
const SCHEDULE_MS = 15_000;
const TIDY_MS = 3_600_000;
const GRACE_MS = 10_000;
const TROUBLE_PAUSE_MS = 1_000;
const END_TRIES = 10;

/** Takes jobs and does them until it is told to end. One process may have one; several processes share the work. */
export class JobWorker {
  readonly #queue: JobQueue;
  readonly #options: WorkerOptions;
  readonly #pollMs: number;
  readonly #projectOf: ReadonlyMap<string, { readonly project: WorkerProject; readonly kind: JobKind }>;
  readonly #running = new Map<string, { stop(reason: StopReason): void; readonly ended: Promise<void> }>();
  #locks: SessionLocks | undefined;
  /** Ends the pause between two looks. */
  #wake: () => void = () => undefined;

  constructor(queue: JobQueue, options: WorkerOptions) {
    this.#queue = queue;
    this.#options = options;
    this.#pollMs = options.pollMs ?? POLL_MS;
    const pairs = options.projects.flatMap((project) =>
      JOB_KINDS.map((kind) => [queueName(project.name, kind), { project, kind }] as const),
    );
    this.#projectOf = new Map(pairs);
  }

  /** Works until the signal; then lets jobs end, or gives them back. Trouble with PostgreSQL is told and waited out. */
  async run(signal: AbortSignal): Promise<void> {
    const last = { schedules: Number.NEGATIVE_INFINITY, tidy: performance.now(), queues: false };
    while (!signal.aborted) {
      try {
        if (!last.queues) await this.#queue.makeQueues(this.#options.projects.map(({ name }) => name));
        last.queues = true;
        await this.#keepLocks();
        if (performance.now() - last.schedules > SCHEDULE_MS) {
          last.schedules = performance.now();
          await this.#startScheduled();
        }
        if (performance.now() - last.tidy > TIDY_MS) {
          last.tidy = performance.now();
          await this.#queue.tidy();
        }
        if (await this.#takeNext()) continue;
        await this.#rest(signal);
      } catch (error) {
        this.#tell({ kind: 'trouble', error: toCandorError(error) });
        await pause(TROUBLE_PAUSE_MS, signal);
      }
    }
    await this.#end();
  }

  /** Until the next look, or the end of a job: then another may begin. */
  async #rest(signal: AbortSignal): Promise<void> {
    const rested = new AbortController();
    this.#wake = () => rested.abort();
    signal.addEventListener('abort', this.#wake, { once: true });
    await pause(this.#pollMs, rested.signal);
    signal.removeEventListener('abort', this.#wake);
  }

  async #keepLocks(): Promise<void> {
    if (this.#locks !== undefined && !this.#locks.isLost) return this.#locks.ping();
    await this.#locks?.close();
    this.#locks = undefined;
    this.#locks = await SessionLocks.open(this.#queue.url, () => {
      // Whoever gets our locks now may do our jobs: they stop here, and what they have done so far is kept for the next.
      for (const { stop } of this.#running.values()) stop('lost');
    });
  }

  /** A project whose `candor.yml` cannot be read keeps no other one from its schedule. */
  async #startScheduled(): Promise<void> {
    for (const { name, readConfig } of this.#options.projects)
      try {
        const { schedule } = (await readConfig()).jobs;
        await runSchedules(this.#queue, [{ project: name, schedule }]);
      } catch (error) {
        this.#tell({ kind: 'trouble', error: toCandorError(error) });
      }
  }

  /** True where a job was taken: there may be another. */
  async #takeNext(): Promise<boolean> {
    const locks = this.#locks;
    if (locks === undefined || this.#running.size >= (this.#options.atOnce ?? 1)) return false;
    for (const queue of await readyQueues(this.#queue.state.run, [...this.#projectOf.keys()])) {
      if (this.#running.has(queue) || !(await locks.take(queue))) continue;
      let taken: TakenJob | undefined;
      try {
        taken = await takeJob(this.#queue, queue, this.#options.name);
      } finally {
        if (taken === undefined) await locks.release(queue);
      }
      if (taken === undefined) continue;
      this.#begin(taken, locks);
      return true;
    }
    return false;
  }

  #begin(job: TakenJob, locks: SessionLocks): void {
    this.#tell({ kind: 'taken', job });
    const stopping = new AbortController();
    const stop = (reason: StopReason): void => stopping.abort(reason);
    const tell = (error: unknown): void => this.#tell({ kind: 'trouble', error: toCandorError(error) });
    // Also where PostgreSQL was not told of the end: without the lock the job is given out again.
    const ended = this.#do(job, stopping)
      .catch(tell)
      .then(() => locks.release(job.queue))
      .catch(tell)
      .finally(() => {
        this.#running.delete(job.queue);
        this.#wake();
      });
    this.#running.set(job.queue, { stop, ended });
    if (locks.isLost) stop('lost');
  }

  async #do(job: TakenJob, stopping: AbortController): Promise<void> {
    let progress: JobProgress | undefined;
    const beats = this.#beat(job, stopping, () => progress);
    const end = await this.#work(job, stopping.signal, (latest) => {
      progress = latest;
    });
    beats.stop();
    await beats.stopped;
    // Without our lock the job is somebody else's; what we did of it they find done.
    if (end === 'lost') return this.#tell({ kind: 'superseded', job });
    if (progress !== undefined) await reportJob(this.#queue, job, progress).catch(() => 'go on');
    const isOurs = await this.#endSurely(job, end, stopping.signal);
    this.#tell(isOurs ? { kind: 'ended', job, end } : { kind: 'superseded', job });
  }

  async #work(
    job: TakenJob,
    signal: AbortSignal,
    report: (progress: JobProgress) => void,
  ): Promise<JobEnd | 'lost'> {
    try {
      const result = await this.#result(job, signal, report);
      return reasonOf(signal) === 'lost' ? 'lost' : { outcome: 'done', result };
    } catch (error) {
      const reason = reasonOf(signal);
      if (reason === 'lost') return reason;
      if (reason !== undefined) return { outcome: reason };
      const failure = toCandorError(error);
      // What a person must mend is not mended by trying again.
      return { outcome: 'failed', error: jobErrorOf(failure), isFinal: failure.kind === 'caller' };
    }
  }

  async #result(
    job: TakenJob,
    signal: AbortSignal,
    report: (progress: JobProgress) => void,
  ): Promise<JobResult> {
    const found = this.#projectOf.get(job.queue);
    if (found === undefined) throw new Error(`a job of ${job.queue}, which is none of ours`);
    const { project, kind } = found;
    const config = await project.readConfig();
    // PostgreSQL says who may work; the file is for the moments in which a worker has lost it and not yet stopped.
    const lock = join(config.derivedDirectory, `job-${kind}.lock`);
    const work = async (): Promise<JobResult> => {
      signal.throwIfAborted();
      const result = await doJob(kind, { config, signal, report });
      signal.throwIfAborted();
      if (kind !== 'drift')
        await this.#options.afterChange?.({ project: project.name, kind, config, signal });
      return result;
    };
    return holdLock(lock, { signal }, () =>
      holdLock(join(config.derivedDirectory, JOBS_LOCK), { isShared: true, signal }, work),
    );
  }

  /** Writes the progress now and then, and learns there whether to stop. */
  #beat(job: TakenJob, stopping: AbortController, progress: () => JobProgress | undefined) {
    const over = new AbortController();
    const beat = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await pause(this.#pollMs, over.signal);
        if (over.signal.aborted) return;
        // A database that does not answer is no reason to stop: a lost lock is, and tells by itself.
        const said = await reportJob(this.#queue, job, progress()).catch(() => 'go on' as const);
        if (said === 'cancel') stopping.abort('cancelled');
        if (said === 'superseded') stopping.abort('lost');
      }
    };
    return { stop: () => over.abort(), stopped: beat() };
  }

  /** False: the job is somebody else's by now. Throws where PostgreSQL cannot be told; then the job is given out again. */
  async #endSurely(job: TakenJob, end: JobEnd, signal: AbortSignal): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      if (reasonOf(signal) === 'lost') return false;
      try {
        return await endJob(this.#queue, job, end);
      } catch (error) {
        if (tries >= END_TRIES) throw error;
        await wait(TROUBLE_PAUSE_MS);
      }
    }
  }

  async #end(): Promise<void> {
    const running = [...this.#running.values()];
    const ended = Promise.all(running.map((each) => each.ended));
    const inTime = new AbortController();
    const graceOver = pause(this.#options.graceMs ?? GRACE_MS, inTime.signal).then(() => {
      for (const { stop } of running) stop('returned');
    });
    await ended;
    inTime.abort();
    await graceOver;
    await this.#locks?.close();
    this.#locks = undefined;
  }

  #tell(event: WorkerEvent): void {
    this.#options.onEvent?.(event);
  }
}

function reasonOf({ aborted, reason }: AbortSignal): StopReason | undefined {
  return aborted && (reason === 'cancelled' || reason === 'returned' || reason === 'lost')
    ? reason
    : undefined;
}

/** Ends early, and quietly, with the signal. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
