/** The questions of the project as its tests. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { FAILURES, responses } from '../contract/failure-contract.ts';
import { TEST_CASE, TEST_CHOICE, TEST_REPORT } from '../contract/test-contract.ts';
import { needFiles, takeQuestions } from '../protect/need-right.ts';
import { chosenTests, shownCase, startTests } from '../runs/start-tests.ts';
import { streamRun } from '../runs/stream-run.ts';
import type { ServerEnv } from '../server-parts.ts';

const LIST = createRoute({
  method: 'get',
  path: '/v1/tests',
  tags: ['tests'],
  summary: 'Cases of tests/, in the order of the files',
  request: {
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
      offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    }),
  },
  responses: responses(
    z.strictObject({ total: z.int(), cases: z.array(TEST_CASE) }),
    'Cases; `total` says how many there are',
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
  request: { body: { required: true, content: { 'application/json': { schema: TEST_CHOICE } } } },
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
    needFiles(context);
    const { limit, offset } = context.req.valid('query');
    const cases = await chosenTests(context.get('session').config, {});
    const shown = cases.slice(offset, offset + limit).map(shownCase);
    return context.json({ total: cases.length, cases: shown }, 200);
  });
  app.openapi(RUN, async (context) => {
    needFiles(context);
    const { tags, filter, ...options } = context.req.valid('json');
    const session = context.get('session');
    const cases = await chosenTests(session.config, {
      ...(tags !== undefined && { tags }),
      ...(filter !== undefined && { filter }),
    });
    if (cases.length > 0) takeQuestions(context, cases.length);
    const person = context.get('person');
    const run = startTests(cases, options, { ...context.get('parts'), session, person });
    context.get('parts').people?.audit(person.name, 'tests', { cases: cases.length, runId: run.id });
    if ((context.req.header('accept') ?? '').includes('text/event-stream')) return streamRun(context, run, 0);
    return context.json({ runId: run.id, cases: cases.length }, 200);
  });
}
