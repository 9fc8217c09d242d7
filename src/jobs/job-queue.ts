import type PgBoss from 'pg-boss';
import { CandorError } from '../errors.ts';
import { inTransaction, openSharedState, type RunSql, type SharedState } from '../store/index.ts';
import { JOB_KINDS, type Job, type JobKind, type JobState, queueName } from './job.ts';
import {
  makeQueues,
  mustAffectOne,
  openBoss,
  QUEUE_SCHEMA,
  RETRY_RULES,
  type RetryRules,
  sendOptions,
  within,
} from './open-boss.ts';
import { readJobs } from './read-jobs.ts';

export interface StartOptions {
  /** Who asks for it; `schedule` where nobody did. */
  readonly by: string;
  /** A UUID that the caller chose: sent again, it starts nothing. */
  readonly id?: string;
}

export interface ListOptions {
  /** Names of workspaces; absent: of all. */
  readonly projects?: readonly string[];
  readonly kinds?: readonly JobKind[];
  readonly states?: readonly JobState[];
  readonly limit: number;
}

/** The jobs of an installation, in the PostgreSQL of `server.state`: what starting and watching them takes. `close` it. */
export class JobQueue {
  /** For whoever works on jobs. */
  readonly state: SharedState;
  readonly boss: PgBoss;
  readonly url: string;
  readonly #retries: RetryRules;
  readonly #made = new Set<string>();

  private constructor(opened: { state: SharedState; boss: PgBoss; url: string }, retries: RetryRules) {
    this.state = opened.state;
    this.boss = opened.boss;
    this.url = opened.url;
    this.#retries = retries;
  }

  /** Throws `jobs.no-shared-state`, `database.driver-missing`, `store.unusable`, and as connecting to a database does. */
  static async open(url: string | undefined, retries: RetryRules = RETRY_RULES): Promise<JobQueue> {
    if (url === undefined)
      throw new CandorError(
        'jobs.no-shared-state',
        'Jobs are kept in PostgreSQL, and candor.yml names none.',
      );
    const state = await openSharedState(url, { part: 'jobs', migrations: JOB_MIGRATIONS });
    try {
      return new JobQueue({ state, boss: await openBoss(state), url }, retries);
    } catch (error) {
      await state.close();
      throw error;
    }
  }

  /** Makes the queues of projects, so that jobs can wait in them. */
  async makeQueues(projects: readonly string[]): Promise<void> {
    const names = projects.flatMap((project) => JOB_KINDS.map((kind) => queueName(project, kind)));
    const missing = names.filter((name) => !this.#made.has(name));
    await makeQueues(this.boss, missing);
    for (const name of missing) this.#made.add(name);
  }

  /** A job that waits already is given back in place of a second one. */
  async start(
    project: string,
    kind: JobKind,
    options: StartOptions,
  ): Promise<{ readonly job: Job; readonly isNew: boolean }> {
    await this.makeQueues([project]);
    return this.#transaction(async (run) => {
      const { id, isNew } = await this.startWithin(run, queueName(project, kind), options);
      return { job: await mustFind(run, id), isNew };
    });
  }

  /** The same as part of a transaction; the queue has been made. */
  async startWithin(
    run: RunSql,
    queue: string,
    { by, id }: StartOptions,
  ): Promise<{ readonly id: string; readonly isNew: boolean }> {
    // Two that start at once would both find nothing that waits.
    await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 2))', [queue]);
    const [known] = id === undefined ? [] : await readJobs(run, { ids: [id], limit: 1 });
    const [waiting] =
      known === undefined
        ? await readJobs(run, { queues: [queue], states: ['waiting', 'retrying'], limit: 1 })
        : [known];
    if (waiting !== undefined) return { id: waiting.id, isNew: false };
    const sent = await this.boss.send(
      queue,
      { by },
      { ...sendOptions(this.#retries), db: within(run), ...(id !== undefined && { id }) },
    );
    if (sent === null) throw new CandorError('internal.bug', `the queue ${queue} took no job`);
    return { id: sent, isNew: true };
  }

  /** The newest first. */
  list({ projects, kinds = JOB_KINDS, states, limit }: ListOptions): Promise<Job[]> {
    const queues = projects?.flatMap((project) => kinds.map((kind) => queueName(project, kind)));
    return readJobs(this.state.run, { ...(queues && { queues }), ...(states && { states }), limit });
  }

  /** Throws `jobs.unknown`. */
  async show(id: string): Promise<Job> {
    if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw unknown(id);
    return mustFind(this.state.run, id);
  }

  /** Ends a job: at once where it waits, within seconds where it runs. One that has ended stays as it is. Throws `jobs.unknown`. */
  async cancel(id: string, by: string): Promise<Job> {
    const { project, kind } = await this.show(id);
    const queue = queueName(project, kind);
    return this.#transaction(async (run) => {
      const state = await lockJob(run, queue, id);
      if (state === 'waiting' || state === 'retrying')
        mustAffectOne('cancelling', await this.boss.cancel(queue, id, { db: within(run) }));
      if (state === 'waiting' || state === 'retrying' || state === 'running')
        await run('INSERT INTO candor.job_cancels (job_id, who) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
          id,
          by,
        ]);
      return mustFind(run, id);
    });
  }

  /** Lets a failed or cancelled job go on where it stopped. Throws `jobs.unknown`, `jobs.not-ended`. */
  async retry(id: string): Promise<Job> {
    const { project, kind } = await this.show(id);
    const queue = queueName(project, kind);
    return this.#transaction(async (run) => {
      const state = await lockJob(run, queue, id);
      const options = { db: within(run) };
      if (state === 'failed') mustAffectOne('retrying', await this.boss.retry(queue, id, options));
      else if (state === 'cancelled') mustAffectOne('resuming', await this.boss.resume(queue, id, options));
      else
        throw new CandorError(
          'jobs.not-ended',
          `This job is ${state}: only a failed or cancelled one is tried again.`,
        );
      await run('DELETE FROM candor.job_cancels WHERE job_id = $1', [id]);
      // Workers that died before count no more.
      await run(
        `UPDATE ${QUEUE_SCHEMA}.job SET completed_on = NULL, started_on = NULL, start_after = now() - interval '1 s',
           data = data || jsonb_build_object('retriedAfter',
             (SELECT coalesce(max(number), 0) FROM candor.job_attempts WHERE job_id = $2))
         WHERE name = $1 AND id = $2`,
        [queue, id],
      );
      return mustFind(run, id);
    });
  }

  /** Throws away what ended long ago. */
  async tidy(): Promise<void> {
    await this.boss.archive();
    await this.state.run(`DELETE FROM ${QUEUE_SCHEMA}.archive WHERE archived_on < now() - interval '1 day'`);
    await this.state.run(
      `DELETE FROM candor.job_attempts a WHERE began_at < now() - interval '30 days'
         AND NOT EXISTS (SELECT 1 FROM ${QUEUE_SCHEMA}.job j WHERE j.id = a.job_id)`,
    );
  }

  async close(): Promise<void> {
    await this.boss.stop({ graceful: false, close: false });
    await this.state.close();
  }

  #transaction<Result>(work: (run: RunSql) => Promise<Result>): Promise<Result> {
    return this.state.session((run) => inTransaction(run, () => work(run)));
  }
}

/** The state of a job that nobody else changes until the transaction ends. */
async function lockJob(run: RunSql, queue: string, id: string): Promise<JobState> {
  await run(`SELECT 1 FROM ${QUEUE_SCHEMA}.job WHERE name = $1 AND id = $2 FOR UPDATE`, [queue, id]);
  return (await mustFind(run, id)).state;
}

async function mustFind(run: RunSql, id: string): Promise<Job> {
  const [job] = await readJobs(run, { ids: [id], limit: 1 });
  if (job === undefined) throw unknown(id);
  return job;
}

function unknown(id: string): CandorError {
  return new CandorError('jobs.unknown', `There is no job ${JSON.stringify(id.slice(0, 80))}.`);
}

/** What the queue itself does not keep: every attempt with its progress, who asked for an end, and up to when schedules were looked at. */
const VERSION_1 = `
CREATE TABLE candor.job_attempts (job_id uuid NOT NULL, number int NOT NULL, worker text NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now(), ended_at timestamptz, outcome text, error jsonb, progress jsonb,
  PRIMARY KEY (job_id, number));
CREATE TABLE candor.job_cancels (job_id uuid PRIMARY KEY, who text NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE candor.job_schedules (queue text PRIMARY KEY, cron text NOT NULL, looked_at timestamptz NOT NULL);`;

const JOB_MIGRATIONS: readonly string[] = [VERSION_1];
