/** Workers as processes of their own, killed while they work, and PostgreSQL cut off under them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { WorkerPool } from '../../bench/chaos/worker-pool.ts';
import { type JobsProject, makeJobsProject } from '../../test/fixtures/jobs/make-jobs-project.ts';
import { describeWithServer, postgresServer } from '../../test/servers/server-of-run.ts';
import { startPostgres } from '../../test/servers/start-postgres.ts';
import { readIfThere } from '../store/index.ts';
import { doJob } from './do-job.ts';
import { type Job, JobQueue } from './index.ts';

const TABLES = 60;
/** Of a machine that six others keep busy; on a quiet one it takes one to two seconds. */
const TAKEOVER_MS = 15_000;

describeWithServer('postgres', 'jobs of workers that die', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function until<Found>(look: () => Promise<Found | undefined>, what: string): Promise<Found> {
    const deadline = performance.now() + 50_000;
    for (;;) {
      const found = await look().catch(() => undefined);
      if (found !== undefined) return found;
      if (performance.now() > deadline) throw new Error(`never: ${what}`);
      await wait(20);
    }
  }

  const untilDone = (queue: JobQueue, id: string): Promise<Job> =>
    until(async () => {
      const job = await queue.show(id);
      return job.state === 'done' || job.state === 'failed' ? job : undefined;
    }, `the end of ${id}`);

  /** Onboarding has written down so many tables, and not ended. */
  const untilHalfWay = (project: JobsProject): Promise<true> =>
    until(async () => {
      const lines = await readIfThere(join(project.root, '.candor', 'unfinished.jsonl'));
      return (lines ?? '').split('\n').length > TABLES / 2 ? true : undefined;
    }, 'half of an onboarding');

  async function open(url: string, database?: string): Promise<{ queue: JobQueue; project: JobsProject }> {
    const project = await makeJobsProject(url, database);
    ends.push(() => project.remove());
    const queue = await JobQueue.open(url, { limit: 2, delaySeconds: 1 });
    ends.push(() => queue.close());
    return { queue, project };
  }

  function startWorkers(project: JobsProject, workers: number): WorkerPool {
    const pool = new WorkerPool({ root: project.root, workers });
    ends.push(() => pool.close());
    return pool;
  }

  it('are taken up within seconds, and go on where they stopped', async () => {
    const server = await postgresServer();
    const [state, data] = [await server.createDatabase('state'), await server.createDatabase('data')];
    ends.push(
      () => state.drop(),
      () => data.drop(),
    );
    await data.run(
      `DO $$ BEGIN FOR n IN 1..${TABLES} LOOP
         EXECUTE format('CREATE TABLE t%s (id int PRIMARY KEY, city text, amount numeric)', n);
         EXECUTE format('INSERT INTO t%s SELECT g, ''city '' || g %% 7, g * 1.5 FROM generate_series(1, 300) g', n);
       END LOOP; END $$; ANALYZE`,
    );
    const { queue, project } = await open(state.adminUrl, data.url);
    const pool = startWorkers(project, 2);
    const { job } = await queue.start('', 'onboard', { by: 'ann' });
    await untilHalfWay(project);
    const [victim] = pool.workers.filter(({ jobs }) => jobs.has(job.id));
    const killedAt = Date.now();
    expect(await pool.strike(victim!, 'kill')).toBe(true);
    const done = await untilDone(queue, job.id);
    expect(done.attempts.map(({ outcome }) => outcome)).toEqual(['lost', 'done']);
    const [lost, next] = done.attempts;
    expect(lost!.worker).not.toBe(next!.worker);
    expect(Date.parse(next!.beganAt) - killedAt).toBeLessThan(TAKEOVER_MS);
    // What the first had read is not read again.
    const { changed } = done.result as { changed: { profiled: number; reused: number } };
    expect(changed.profiled).toBeLessThan(TABLES);
    expect(changed.profiled + changed.reused).toBe(TABLES);
    const config = await project.readConfig();
    const after = await readFile(join(config.derivedDirectory, 'tables.jsonl'), 'utf8');
    const quiet = { ...config, derivedDirectory: join(project.root, 'quiet') };
    await doJob('onboard', { config: quiet, signal: new AbortController().signal, report: () => undefined });
    expect(after).toBe(await readFile(join(quiet.derivedDirectory, 'tables.jsonl'), 'utf8'));
  });

  it('are done once PostgreSQL is there again, and a worker that is to end gives them back', async () => {
    const server = await startPostgres();
    ends.push(() => server.stop());
    const { queue, project } = await open(server.adminUrl);
    const pool = startWorkers(project, 1);
    const first = await queue.start('', 'onboard', { by: 'ann' });
    await until(
      async () => ((await queue.show(first.job.id)).state === 'running' ? true : undefined),
      'a start',
    );
    await server.kill();
    await server.restart();
    expect((await untilDone(queue, first.job.id)).state).toBe('done');
    expect(pool.workers).toHaveLength(1);
    const { job } = await queue.start('', 'refresh', { by: 'ann' });
    await until(async () => (await queue.show(job.id)).attempts[0], 'an attempt');
    await pool.strike(pool.workers[0]!, 'term');
    const { state, attempts } = await untilDone(queue, job.id);
    expect([state, attempts.some(({ outcome }) => outcome === 'lost')]).toEqual(['done', false]);
  });
});
