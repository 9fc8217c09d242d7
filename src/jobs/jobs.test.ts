/** The life of jobs on a real PostgreSQL. What is killed runs in processes of its own: see killed-workers.test.ts. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type JobsProject, makeJobsProject } from '../../test/fixtures/jobs/make-jobs-project.ts';
import { describeWithServer, postgresServer } from '../../test/servers/server-of-run.ts';
import type { TestDatabase } from '../../test/servers/test-server.ts';
import { SessionLocks } from '../store/index.ts';
import { type Job, JobQueue, JobWorker, type WorkerEvent, type WorkerOptions } from './index.ts';
import { runSchedules } from './run-schedules.ts';
import { endJob, MOST_LOSSES, reportJob, takeJob } from './take-job.ts';

describeWithServer('postgres', 'jobs', () => {
  let database: TestDatabase;
  let queue: JobQueue;
  let project: JobsProject;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    database = await (await postgresServer()).createDatabase('jobs');
    queue = await JobQueue.open(database.adminUrl, { limit: 2, delaySeconds: 1 });
    await queue.makeQueues(['']);
  });
  afterAll(async () => {
    await queue.close();
    await database.drop();
  });
  beforeEach(async () => {
    await queue.state.run(
      'TRUNCATE candor_queue.job, candor.job_attempts, candor.job_cancels, candor.job_schedules',
    );
    project = await makeJobsProject(database.adminUrl);
  });
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    await project.remove();
  });

  function startWorker(options: Partial<WorkerOptions> = {}) {
    const ending = new AbortController();
    const events: WorkerEvent[] = [];
    const worker = new JobWorker(queue, {
      name: `worker ${randomUUID()}`,
      projects: [{ name: '', readConfig: project.readConfig }],
      pollMs: 100,
      onEvent: (event) => events.push(event),
      ...options,
    });
    const ended = worker.run(ending.signal);
    const stop = (): Promise<void> => {
      ending.abort();
      return ended;
    };
    stops.push(stop);
    return { events, stop };
  }

  async function until(id: string, isReached: (job: Job) => boolean, seconds = 20): Promise<Job> {
    const deadline = performance.now() + seconds * 1_000;
    for (;;) {
      const job = await queue.show(id);
      if (isReached(job)) return job;
      if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(job)}`);
      await wait(50);
    }
  }
  const isState = (state: Job['state']) => (job: Job) => job.state === state;

  it('wait, run and are done, each kind with what it came to', async () => {
    const { job, isNew } = await queue.start('', 'onboard', { by: 'ann' });
    expect({ ...job, isNew }).toMatchObject({ state: 'waiting', by: 'ann', attempts: [], isNew: true });
    expect(await queue.start('', 'onboard', { by: 'bob' })).toEqual({ job, isNew: false });
    startWorker();
    const done = await until(job.id, isState('done'));
    expect(done.result).toMatchObject({ tables: 2, reused: false, changed: { profiled: 2 } });
    expect(done.attempts).toMatchObject([{ number: 1, outcome: 'done' }]);
    expect(done.progress).toMatchObject({ stage: 'vectors' });

    const again = await queue.start('', 'onboard', { by: 'ann' });
    expect((await until(again.job.id, isState('done'))).result).toMatchObject({ reused: true });
    const results: unknown[] = [];
    for (const kind of ['refresh', 'usage', 'clusters', 'drift'] as const) {
      const started = await queue.start('', kind, { by: 'ann' });
      results.push((await until(started.job.id, isState('done'))).result);
    }
    expect(results).toMatchObject([
      { tables: 2, reused: false },
      { logs: 1, rejected: 0 },
      { clusters: 0 },
      { findings: 0 },
    ]);
    expect((await queue.list({ limit: 3 })).map(({ kind }) => kind)).toEqual(['drift', 'clusters', 'usage']);
    expect(await queue.list({ kinds: ['usage'], states: ['done'], projects: [''], limit: 9 })).toHaveLength(
      1,
    );
  });

  it('fail at once where a person must mend something, and go on from a retry', async () => {
    await project.rewrite('');
    startWorker();
    const { job } = await queue.start('', 'usage', { by: 'ann' });
    const failed = await until(job.id, isState('failed'));
    expect(failed.error).toMatchObject({ code: 'jobs.no-logs', next: expect.stringContaining('jobs.logs') });
    expect(failed.attempts).toMatchObject([{ outcome: 'failed', error: { code: 'jobs.no-logs' } }]);
    await project.rewrite('jobs: { logs: [shop.log.jsonl] }\n');
    const onboarded = await queue.start('', 'onboard', { by: 'ann' });
    await until(onboarded.job.id, isState('done'));
    await expect(queue.retry(onboarded.job.id)).rejects.toThrow('This job is done');
    expect(await queue.retry(job.id)).toMatchObject({ state: 'retrying' });
    expect((await until(job.id, isState('done'))).attempts.map(({ outcome }) => outcome)).toEqual([
      'failed',
      'done',
    ]);
  });

  it('are tried again after a pause where the world is to blame, and fail in the end', async () => {
    let tries = 0;
    startWorker({
      afterChange: async () => {
        tries += 1;
        throw Object.assign(new Error('no space left on device'), { syscall: 'write' });
      },
    });
    const { job } = await queue.start('', 'onboard', { by: 'ann' });
    const retrying = await until(job.id, isState('retrying'));
    expect(retrying).toMatchObject({ error: { code: 'files.unusable' }, attempts: [{ outcome: 'failed' }] });
    expect((await until(job.id, isState('failed'))).attempts).toHaveLength(3);
    expect(tries).toBe(3);
  });

  it('are cancelled at once where they wait, and within seconds where they run', async () => {
    const waiting = await queue.start('', 'onboard', { by: 'ann' });
    expect(await queue.cancel(waiting.job.id, 'bob')).toMatchObject({ state: 'cancelled' });
    let [isReached, isStopped] = [false, false];
    startWorker({
      afterChange: ({ signal }) =>
        new Promise((_, reject) => {
          isReached = true;
          signal.addEventListener('abort', () => {
            isStopped = true;
            reject(signal.reason);
          });
        }),
    });
    const { job } = await queue.start('', 'onboard', { by: 'ann' });
    await until(job.id, () => isReached);
    expect(await queue.cancel(job.id, 'bob')).toMatchObject({ isCancelling: true });
    const cancelled = await until(job.id, isState('cancelled'), 4);
    expect(cancelled.attempts).toMatchObject([{ outcome: 'cancelled' }]);
    expect(isStopped).toBe(true);
    // What has ended stays as it is.
    expect(await queue.cancel(job.id, 'bob')).toMatchObject({ state: 'cancelled' });
  });

  it('stop the query in the database where they are cancelled', async () => {
    const server = await postgresServer();
    const data = await server.createDatabase('slow');
    await data.run('CREATE TABLE t (id int); CREATE VIEW slow AS SELECT 1 AS id, pg_sleep(40)::text AS nap');
    const slow = await makeJobsProject(database.adminUrl, data.url);
    const asleep = async (): Promise<number> =>
      (await server.run(`SELECT 1 FROM pg_stat_activity WHERE datname = '${data.name}' AND state = 'active'`))
        .length;
    startWorker({ projects: [{ name: '', readConfig: slow.readConfig }] });
    const { job } = await queue.start('', 'onboard', { by: 'ann' });
    for (let looks = 0; (await asleep()) === 0 && looks < 200; looks++) await wait(50);
    await wait(300);
    expect(await asleep()).toBeGreaterThan(0);
    await queue.cancel(job.id, 'bob');
    await until(job.id, isState('cancelled'), 5);
    expect(await asleep()).toBe(0);
    await data.drop();
    await slow.remove();
  });

  it('run one at a time of each kind, over two workers, however often they are delivered', async () => {
    const id = randomUUID();
    const started = await Promise.all(
      Array.from({ length: 20 }, () => queue.start('', 'onboard', { by: 'ann', id })),
    );
    expect(started.filter(({ isNew }) => isNew)).toHaveLength(1);
    let [now, most] = [0, 0];
    const afterChange = async (): Promise<void> => {
      now += 1;
      most = Math.max(most, now);
      await wait(200);
      now -= 1;
    };
    startWorker({ atOnce: 2, afterChange });
    startWorker({ atOnce: 2, afterChange });
    const done = new Set<string>();
    for (let round = 0; round < 4; round++) {
      const { job } = await queue.start('', 'onboard', { by: 'ann' });
      done.add(job.id);
      await wait(150);
    }
    for (const each of done) expect((await until(each, isState('done'))).attempts).toHaveLength(1);
    expect(most).toBe(1);
    expect((await queue.start('', 'onboard', { by: 'ann', id })).isNew).toBe(false);
  });

  it('begin by their schedule, once for all workers and for all times that were missed', async () => {
    const schedules = [{ project: '', schedule: { drift: '* * * * *' } }];
    expect(await runSchedules(queue, schedules)).toBe(0);
    await queue.state.run(`UPDATE candor.job_schedules SET looked_at = now() - interval '3 hours'`);
    const started = await Promise.all([1, 2, 3].map(() => runSchedules(queue, schedules)));
    expect(started.reduce((sum, each) => sum + each)).toBe(1);
    expect(await queue.list({ limit: 9 })).toMatchObject([
      { kind: 'drift', by: 'schedule', state: 'waiting' },
    ]);
    // Another time begins anew.
    await queue.state.run(`UPDATE candor.job_schedules SET looked_at = now() - interval '3 hours'`);
    expect(await runSchedules(queue, [{ project: '', schedule: { drift: '*/2 * * * *' } }])).toBe(0);
  });

  it('are given back by a worker that is to end, and done by the next', async () => {
    const first = startWorker({
      graceMs: 100,
      afterChange: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const { job } = await queue.start('', 'onboard', { by: 'ann' });
    await until(job.id, isState('running'));
    await first.stop();
    expect(await queue.show(job.id)).toMatchObject({
      state: 'retrying',
      attempts: [{ outcome: 'returned' }],
    });
    startWorker();
    expect((await until(job.id, isState('done'))).attempts).toMatchObject([
      { outcome: 'returned' },
      { outcome: 'done' },
    ]);
  });

  it('of a worker that has lost its lock are nobody else’s to end', async () => {
    const { job } = await queue.start('', 'drift', { by: 'ann' });
    const taken = await takeJob(queue, 'drift', 'first');
    // As if the lock was lost: another one takes the job while the first goes on.
    const again = await takeJob(queue, 'drift', 'second');
    expect([taken, again]).toMatchObject([
      { id: job.id, attempt: 1 },
      { id: job.id, attempt: 2 },
    ]);
    expect(await reportJob(queue, taken!, undefined)).toBe('superseded');
    expect(await endJob(queue, taken!, { outcome: 'done', result: { by: 'first' } })).toBe(false);
    expect(await queue.show(job.id)).toMatchObject({ state: 'running', attempts: [{ outcome: 'lost' }, {}] });
    expect(await endJob(queue, again!, { outcome: 'done', result: { by: 'second' } })).toBe(true);
    expect(await endJob(queue, again!, { outcome: 'done', result: { by: 'twice' } })).toBe(false);
    expect(await queue.show(job.id)).toMatchObject({ state: 'done', result: { by: 'second' } });
  });

  it('that kill every worker fail in the end and say so', async () => {
    const { job } = await queue.start('', 'drift', { by: 'ann' });
    const deaths = [];
    for (let takes = 0; takes < 3 * MOST_LOSSES; takes++) {
      const taken = await takeJob(queue, 'drift', 'worker');
      if (taken !== undefined) deaths.push(taken.attempt);
      // The pauses between deaths are skipped here.
      await queue.state.run(`UPDATE candor_queue.job SET start_after = now() - interval '1 s'`);
    }
    expect(deaths).toEqual(Array.from({ length: MOST_LOSSES }, (_, index) => index + 1));
    expect(await queue.show(job.id)).toMatchObject({ state: 'failed', error: { code: 'jobs.worker-lost' } });
    expect((await queue.retry(job.id)).state).toBe('retrying');
    const next = MOST_LOSSES + 1;
    expect(await takeJob(queue, 'drift', 'worker')).toMatchObject({ attempt: next });
    // The deaths from before the retry count no more.
    expect(await takeJob(queue, 'drift', 'worker')).toMatchObject({ attempt: next + 1 });
  });

  it('keep what ended for a month, and never lose what waits', async () => {
    const waiting = await queue.start('', 'onboard', { by: 'ann' });
    const { job } = await queue.start('', 'drift', { by: 'ann' });
    const taken = await takeJob(queue, 'drift', 'worker');
    await endJob(queue, taken!, { outcome: 'done', result: {} });
    await queue.tidy();
    expect(await queue.list({ limit: 9 })).toHaveLength(2);
    await queue.state.run(
      `UPDATE candor_queue.job SET created_on = created_on - interval '31 days', completed_on = completed_on - interval '31 days'`,
    );
    await queue.tidy();
    await expect(queue.show(job.id)).rejects.toThrow('There is no job');
    expect(await queue.show(waiting.job.id)).toMatchObject({ state: 'waiting' });
  });

  it('need an installation that is shared, and their id', async () => {
    await expect(JobQueue.open(undefined)).rejects.toMatchObject({ code: 'jobs.no-shared-state' });
    await expect(queue.show(`'; DROP TABLE`)).rejects.toMatchObject({ code: 'jobs.unknown' });
    await expect(queue.cancel(randomUUID(), 'ann')).rejects.toMatchObject({ code: 'jobs.unknown' });
  });

  it('are locked by a connection, and free once it has ended', async () => {
    let lost = 0;
    const first = await SessionLocks.open(database.adminUrl, () => lost++);
    const second = await SessionLocks.open(database.adminUrl, () => lost++);
    expect([await first.take('a'), await second.take('a'), await first.take('a')]).toEqual([
      true,
      false,
      false,
    ]);
    await first.release('a');
    expect([await second.take('a'), await first.take('b')]).toEqual([true, true]);
    await database.run(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted`,
    );
    for (let waits = 0; lost < 2 && waits < 100; waits++) await wait(20);
    expect(lost).toBe(2);
    await expect(first.take('c')).rejects.toThrow();
    await Promise.all([first.close(), second.close()]);
  });
});
