/** Background jobs of the project, for admins. */

import { setTimeout as wait } from 'node:timers/promises';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { CandorError } from '../../../errors.ts';
import type { Job, JobQueue } from '../../../jobs/index.ts';
import { FAILURES, responses } from '../../contract/failure-contract.ts';
import { JOB, JOB_KIND, JOB_STATE } from '../../contract/job-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { needAdmin } from '../../protect/authorize.ts';

const ID = { params: z.object({ id: z.uuid() }) };

const LIST = createRoute({
  method: 'get',
  path: '/v1/jobs',
  tags: ['jobs'],
  summary: 'Jobs of the last 30 days, the newest first',
  request: {
    query: z.object({
      limit: z.coerce.number().int().min(1).max(500).default(50),
      kind: JOB_KIND.optional(),
      state: JOB_STATE.optional(),
    }),
  },
  responses: responses(z.strictObject({ jobs: z.array(JOB) }), 'Jobs of this project'),
});

const START = createRoute({
  method: 'post',
  path: '/v1/jobs',
  tags: ['jobs'],
  summary: 'Start a job; a worker does it',
  description:
    'Where one of its kind waits already, that one is meant and `isNew` is false. One of a kind runs at a time; a second one waits for its end.',
  request: {
    headers: z.object({
      'idempotency-key': z.uuid().optional().openapi({
        description: 'Chosen by the client, and the id of the job: sent again, it starts nothing.',
      }),
    }),
    body: { required: true, content: { 'application/json': { schema: z.strictObject({ kind: JOB_KIND }) } } },
  },
  responses: responses(z.strictObject({ job: JOB, isNew: z.boolean() }), 'The job'),
});

const SHOW = createRoute({
  method: 'get',
  path: '/v1/jobs/{id}',
  tags: ['jobs'],
  summary: 'One job with its attempts',
  request: ID,
  responses: responses(JOB, 'The job'),
});

const EVENTS = createRoute({
  method: 'get',
  path: '/v1/jobs/{id}/events',
  tags: ['jobs'],
  summary: 'A job as it goes on: server-sent events',
  description:
    'Events: `job` with the whole job whenever it has changed, until it ends; then `data: [DONE]`.',
  request: ID,
  responses: {
    ...FAILURES,
    200: { description: 'The events', content: { 'text/event-stream': { schema: z.string() } } },
  },
});

const CANCEL = createRoute({
  method: 'post',
  path: '/v1/jobs/{id}/cancel',
  tags: ['jobs'],
  summary: 'End a job: at once where it waits, within seconds where it runs; what it has done is kept',
  request: ID,
  responses: responses(JOB, 'The job'),
});

const RETRY = createRoute({
  method: 'post',
  path: '/v1/jobs/{id}/retry',
  tags: ['jobs'],
  summary: 'Let a failed or cancelled job go on where it stopped',
  request: ID,
  responses: responses(JOB, 'The job'),
});

export function addJobRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(LIST, async (context) => {
    const queue = await queueFor(context);
    const { limit, kind, state } = context.req.valid('query');
    const jobs = await queue.list({
      ...{ projects: [context.get('parts').workspace], limit },
      ...(kind !== undefined && { kinds: [kind] }),
      ...(state !== undefined && { states: [state] }),
    });
    return context.json({ jobs: jobs.map(shown) }, 200);
  });
  app.openapi(START, async (context) => {
    const queue = await queueFor(context);
    const { kind } = context.req.valid('json');
    const id = context.req.valid('header')['idempotency-key'];
    const by = context.get('person').name;
    const { job, isNew } = await queue.start(context.get('parts').workspace, kind, {
      by,
      ...(id !== undefined && { id }),
    });
    if (isNew) await audit(context, 'job started', job);
    return context.json({ job: shown(job), isNew }, 200);
  });
  app.openapi(SHOW, async (context) => {
    const queue = await queueFor(context);
    return context.json(shown(await ownJob(context, queue, context.req.valid('param').id)), 200);
  });
  app.openapi(EVENTS, async (context) => {
    const queue = await queueFor(context);
    const job = await ownJob(context, queue, context.req.valid('param').id);
    return streamJob(context, job, () => queue.show(job.id));
  });
  app.openapi(CANCEL, async (context) => {
    const queue = await queueFor(context);
    const { id } = await ownJob(context, queue, context.req.valid('param').id);
    const job = await queue.cancel(id, context.get('person').name);
    await audit(context, 'job cancelled', job);
    return context.json(shown(job), 200);
  });
  app.openapi(RETRY, async (context) => {
    const queue = await queueFor(context);
    const { id } = await ownJob(context, queue, context.req.valid('param').id);
    const job = await queue.retry(id);
    await audit(context, 'job retried', job);
    return context.json(shown(job), 200);
  });
}

/** Throws `server.no-right` for whoever is no admin, and `jobs.no-shared-state`. */
async function queueFor(context: Context<ServerEnv>): Promise<JobQueue> {
  await needAdmin(context);
  return context.get('parts').jobs.open();
}

/** A job of another project, and one that is not there, are answered alike. Throws `jobs.unknown`. */
async function ownJob(context: Context<ServerEnv>, queue: JobQueue, id: string): Promise<Job> {
  const job = await queue.show(id);
  if (job.project === context.get('parts').workspace) return job;
  throw new CandorError('jobs.unknown', `There is no job ${JSON.stringify(id)}.`);
}

async function audit(context: Context<ServerEnv>, what: string, { id, kind }: Job): Promise<void> {
  await context.get('parts').people?.audit(context.get('person').name, what, { job: id, kind });
}

function shown(job: Job): z.infer<typeof JOB> {
  return { ...job, attempts: [...job.attempts] };
}

const LOOK_MS = 1_000;
/** Proxies close a connection that says nothing for a minute. */
const LOOKS_TO_PING = 15;

/** A job whenever it has changed, until it ends, then `data: [DONE]`. It goes on without a reader. */
function streamJob(context: Context<ServerEnv>, first: Job, look: () => Promise<Job>): Response {
  context.header('X-Accel-Buffering', 'no');
  return streamSSE(context, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    let told = '';
    for (let job = first, looks = 0; !gone.signal.aborted; looks++) {
      const data = JSON.stringify(job);
      if (data !== told) await stream.writeSSE({ event: 'job', data });
      else if (looks % LOOKS_TO_PING === 0) await stream.write(': ping\n\n');
      told = data;
      if (job.state === 'done' || job.state === 'failed' || job.state === 'cancelled') break;
      await wait(LOOK_MS, undefined, { signal: gone.signal }).catch(() => undefined);
      job = await look();
    }
    if (!gone.signal.aborted) await stream.writeSSE({ data: '[DONE]' });
  });
}
