/** The questions of the project as its tests. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { FAILURES, responses } from '../../contract/failure-contract.ts';
import { TEST_CASE, TEST_CHOICE, TEST_REPORT } from '../../contract/test-contract.ts';
import type { FollowedRun, ServerEnv } from '../../parts/server-parts.ts';
import { needFiles, needTests, takeQuestions } from '../../protect/authorize.ts';
import { streamRun, testsOf } from '../../runs/run-hub.ts';
import { chosenTests, shownCase, startTests } from '../../runs/start-tests.ts';

const LIST = createRoute({
  method: 'get',
  path: '/v1/tests',
  tags: ['tests'],
  summary: 'Cases of tests/, in the order of the files',
  request: {
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
      offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
      tags: z
        .string()
        .max(2_000)
        .optional()
        .openapi({ description: 'Cases that have one of these, with commas between them.' }),
      filter: z.string().max(200).optional().openapi({ description: 'Part of an id or a question.' }),
    }),
  },
  responses: responses(
    z.strictObject({ total: z.int(), tags: z.array(z.string()), cases: z.array(TEST_CASE) }),
    'Cases; `total` says how many there are, `tags` which tags they have',
  ),
});

const RUN = createRoute({
  method: 'post',
  path: '/v1/tests/runs',
  tags: ['tests'],
  summary: 'Ask the cases and compare: a run, as server-sent events where those are accepted',
  description:
    'Events: `run`, `progress` after each case, then `report` (a TestReport) or `error`. `POST /v1/runs/{id}/cancel` ends it with what ' +
    'is there. Every case counts as a question.',
  request: {
    headers: z.object({
      'idempotency-key': z.uuid().optional().openapi({
        description: 'Chosen by the client, and the id of the run: sent again, it begins nothing.',
      }),
    }),
    body: { required: true, content: { 'application/json': { schema: TEST_CHOICE } } },
  },
  responses: {
    ...FAILURES,
    200: {
      description: 'The run, or its events',
      content: {
        'application/json': { schema: z.strictObject({ runId: z.string(), cases: z.int() }) },
        'text/event-stream': { schema: z.string() },
      },
    },
  },
});

export function addTestRoutes(app: OpenAPIHono<ServerEnv>): void {
  // Events are texts to the document: this is what one of them holds.
  app.openAPIRegistry.register('TestReport', TEST_REPORT);
  app.openapi(LIST, async (context) => {
    await needFiles(context);
    const { limit, offset, tags = '', filter } = context.req.valid('query');
    const cases = await chosenTests(context.get('session').config, {
      tags: tags.split(',').filter((tag) => tag !== ''),
      ...(filter !== undefined && { filter }),
    });
    const shown = cases.slice(offset, offset + limit).map(shownCase);
    const known = [...new Set(cases.flatMap((each) => each.tags))].sort();
    return context.json({ total: cases.length, tags: known, cases: shown }, 200);
  });
  app.openapi(RUN, async (context) => {
    await needTests(context);
    const choice = context.req.valid('json');
    const cases = await chosenTests(context.get('session').config, {
      ...(choice.tags !== undefined && { tags: choice.tags }),
      ...(choice.filter !== undefined && { filter: choice.filter }),
    });
    const key = context.req.valid('header')['idempotency-key'];
    const run = await beginRun(context, cases, choice, key);
    if ((context.req.header('accept') ?? '').includes('text/event-stream')) return streamRun(context, run, 0);
    return context.json({ runId: run.id, cases: cases.length }, 200);
  });
}

async function beginRun(
  context: Context<ServerEnv>,
  cases: Awaited<ReturnType<typeof chosenTests>>,
  choice: z.infer<typeof TEST_CHOICE>,
  key: string | undefined,
): Promise<FollowedRun> {
  const parts = context.get('parts');
  const person = context.get('person');
  const isKnown = key !== undefined && (await parts.runs.find(key))?.subject === testsOf(person);
  if (!isKnown && cases.length > 0) await takeQuestions(context, cases.length);
  const run = await startTests(cases, choice, { ...parts, session: context.get('session'), person }, key);
  if (!isKnown) await parts.people?.audit(person.name, 'tests', { cases: cases.length, runId: run.id });
  return run;
}
