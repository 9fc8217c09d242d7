/** Jobs over HTTP, with a worker in the server's own process. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCandor } from '../../../../test/e2e/cli/run-candor.ts';
import { type JobsProject, makeJobsProject } from '../../../../test/fixtures/jobs/make-jobs-project.ts';
import { describeWithServer, postgresServer } from '../../../../test/servers/server-of-run.ts';
import type { TestDatabase } from '../../../../test/servers/test-server.ts';
import { JobQueue, JobWorker } from '../../../jobs/index.ts';
import { onboardProject } from '../../../onboarding/onboard-project.ts';
import { openSession } from '../../../session/project/open-session.ts';
import type { Session } from '../../../session/project/session.ts';
import { type RunningServer, startServer } from '../../start/start-server.ts';

describeWithServer('postgres', 'jobs over HTTP', () => {
  let database: TestDatabase;
  let project: JobsProject;
  let session: Session;
  let server: RunningServer;
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    database = await (await postgresServer()).createDatabase('jobs_http');
    project = await makeJobsProject(database.adminUrl);
    const signal = new AbortController().signal;
    await onboardProject(await project.readConfig(), { refresh: false, onProgress: () => undefined, signal });
    for (const [name, flags] of [
      ['ann', ['--admin']],
      ['bob', []],
    ] as const) {
      const { stdout } = await runCandor(['users', 'add', name, ...flags], project.root);
      keys[name] = /cnd_\S+/.exec(stdout)?.[0] ?? '';
    }
    session = await openSession(await project.readConfig());
    server = await startServer(session, {
      ...{ host: '127.0.0.1', port: 0, newId: randomUUID, needsSignIn: true },
      onBug: (_, error) => {
        throw error;
      },
    });
  });
  afterAll(async () => {
    await server.close();
    await session.close();
    await project.remove();
    await database.drop();
  });

  const send = (path: string, body?: unknown, headers: Record<string, string> = {}, who = 'ann') =>
    fetch(`${server.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${keys[who]}`, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const reply = async (...given: Parameters<typeof send>) => {
    const response = await send(...given);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };

  it('are started once for one key, watched to their end, and in the audit log', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const [first, again] = [
      await reply('/v1/jobs', { kind: 'drift' }, key),
      await reply('/v1/jobs', { kind: 'drift' }, key),
    ];
    expect(first).toMatchObject({ status: 200, body: { isNew: true, job: { state: 'waiting', by: 'ann' } } });
    expect(again.body).toEqual({ ...first.body, isNew: false });
    const { id } = first.body.job;
    expect(id).toBe(key['idempotency-key']);
    const events = send(`/v1/jobs/${id}/events`).then((response) => response.text());
    const ending = new AbortController();
    const queue = await JobQueue.open(database.adminUrl);
    const projects = [{ name: '', readConfig: project.readConfig }];
    const working = new JobWorker(queue, { name: 'w', projects, pollMs: 100 }).run(ending.signal);
    const told = (await events).split('\n\n').filter((event) => event.startsWith('event: job'));
    expect(JSON.parse(told.at(-1)!.split('data: ')[1]!)).toMatchObject({
      state: 'done',
      result: { findings: 0 },
    });
    expect(await events).toMatch(/data: \[DONE\]\s*$/);
    ending.abort();
    await working;
    await queue.close();
    expect((await reply('/v1/jobs?kind=drift&state=done')).body.jobs).toMatchObject([
      { id, attempts: [{ outcome: 'done' }] },
    ]);
    const { stdout } = await runCandor(['users', 'audit'], project.root);
    expect(stdout).toContain(`"what":"job started","detail":{"job":"${id}","kind":"drift"}`);
  });

  it('are cancelled and tried again', async () => {
    const { body } = await reply('/v1/jobs', { kind: 'usage' });
    expect((await reply(`/v1/jobs/${body.job.id}/cancel`, {})).body).toMatchObject({ state: 'cancelled' });
    expect((await reply(`/v1/jobs/${body.job.id}/retry`, {})).body).toMatchObject({ state: 'waiting' });
    expect(await reply(`/v1/jobs/${body.job.id}/retry`, {})).toMatchObject({
      status: 409,
      body: { error: { code: 'jobs.not-ended' } },
    });
    expect((await reply(`/v1/jobs/${body.job.id}`)).body).toMatchObject({ kind: 'usage', state: 'waiting' });
  });

  it('are for admins, of this project, and of kinds that there are', async () => {
    expect(await reply('/v1/jobs', undefined, {}, 'bob')).toMatchObject({ status: 403 });
    expect(await reply('/v1/jobs', { kind: 'drift' }, {}, 'bob')).toMatchObject({ status: 403 });
    expect(await reply('/v1/jobs', { kind: 'format' })).toMatchObject({
      status: 400,
      body: { error: { code: 'server.invalid-request' } },
    });
    expect(await reply(`/v1/jobs/${randomUUID()}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'jobs.unknown' } },
    });
    const queue = await JobQueue.open(database.adminUrl);
    const other = await queue.start('hr', 'drift', { by: 'eve' });
    await queue.close();
    expect(await reply(`/v1/jobs/${other.job.id}/cancel`, {})).toMatchObject({ status: 404 });
    expect((await reply('/v1/jobs')).body.jobs.every((job: { project: string }) => job.project === '')).toBe(
      true,
    );
  });

  it('are seen and started on the command line', async () => {
    const run = (...argv: string[]) => runCandor(['jobs', ...argv], project.root);
    const started = JSON.parse((await run('start', 'refresh', '--output', 'json')).stdout);
    expect(started).toMatchObject({ kind: 'refresh', state: 'waiting', by: 'command line' });
    expect((await run('list', '--kind', 'refresh')).stdout).toContain(started.id);
    expect((await run('cancel', started.id)).stdout).toContain('cancelled');
    const watched = await run('watch', started.id);
    expect([watched.code, watched.stdout.includes('started by command line')]).toEqual([1, true]);
    expect((await run('retry', started.id)).stdout).toContain('waiting');
    expect((await run('show', randomUUID())).stderr).toContain('candor jobs list');
    expect((await run('start', 'drift', '--workspace', 'nowhere')).stderr).toContain('server.workspaces');
  });
});
