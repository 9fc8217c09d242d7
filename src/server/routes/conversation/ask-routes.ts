/** Questions and queries without a conversation. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { answerClarification, ask, fixQuery, runSql } from '../../../answering/index.ts';
import { mendWithModel } from '../../../answering/review/index.ts';
import { ANSWER, jsonOf } from '../../contract/answer-contract.ts';
import { FIX } from '../../contract/card-contract.ts';
import { responses } from '../../contract/failure-contract.ts';
import { SQL_OUTCOME } from '../../contract/sql-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { authorize, mayRun, takeQuestions } from '../../protect/authorize.ts';
import { auditSql, shownTo } from '../../protect/hide-sql.ts';

const MOST_SQL = 100_000;
const sql = z.string().min(1).max(MOST_SQL);
const body = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true, content: { 'application/json': { schema } } },
});

const ASKING = {
  assume: z.record(z.string().max(200), z.string().max(200)).optional(),
  hint: z.string().max(2_000).optional(),
  mode: z.enum(['fast', 'careful', 'no-execution']).optional(),
  targetRisk: z.number().gt(0).lt(1).optional(),
};

const ASK = createRoute({
  method: 'post',
  path: '/v1/ask',
  tags: ['ask'],
  summary: 'Ask a question: rows with their SQL, a question back, or a refusal',
  request: body(
    z.strictObject({
      question: z.string().min(1).max(2_000).openapi({ example: 'how many orders per month in 2024?' }),
      after: z.array(z.string().max(2_000)).max(20).optional().openapi({ description: 'Earlier questions.' }),
      execute: z.boolean().optional().openapi({ description: 'False: the SQL is written and not run.' }),
      ...ASKING,
    }),
  ),
  responses: responses(ANSWER, 'One of the five outcomes'),
});

const ANSWER_BACK = createRoute({
  method: 'post',
  path: '/v1/answers',
  tags: ['ask'],
  summary: 'Answer a question back',
  request: body(
    z.strictObject({
      recordId: z.string().min(1).max(100),
      reply: z.string().min(1).max(2_000).openapi({
        description: 'A number, a label, words of one’s own, “any” or “all”.',
      }),
      ...ASKING,
    }),
  ),
  responses: responses(ANSWER, 'One of the five outcomes'),
});

const SQL = createRoute({
  method: 'post',
  path: '/v1/sql',
  tags: ['sql'],
  summary: 'Run one reading statement through the guard',
  request: body(z.strictObject({ sql, planOnly: z.boolean().optional() })),
  responses: responses(SQL_OUTCOME, 'Rows, a plan, or what the guard refuses'),
});

const FIX_ROUTE = createRoute({
  method: 'post',
  path: '/v1/fix',
  tags: ['sql'],
  summary:
    'Say everything that is wrong with a query, repair what is sure, or all by a model where one is set up, and offer what may be meant; nothing is run',
  request: body(
    z.strictObject({
      sql,
      engineError: z.string().max(10_000).optional(),
      question: z.string().max(2_000).optional(),
    }),
  ),
  responses: responses(FIX, 'Problems and, where one is known, a better query'),
});

export function addAskRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(ASK, async (context) => {
    const { question, ...options } = context.req.valid('json');
    const session = context.get('session');
    await takeQuestions(context);
    const answer = await ask(question, session, { ...options, signal: context.req.raw.signal });
    return context.json(jsonOf(ANSWER, await shownTo(context, answer)), 200);
  });
  app.openapi(ANSWER_BACK, async (context) => {
    const { recordId, reply, ...options } = context.req.valid('json');
    const session = context.get('session');
    await takeQuestions(context);
    const signal = context.req.raw.signal;
    const answer = await answerClarification(recordId, reply, session, { ...options, signal });
    return context.json(jsonOf(ANSWER, await shownTo(context, answer)), 200);
  });
  app.openapi(SQL, async (context) => {
    const { sql: text, ...options } = context.req.valid('json');
    await authorize(context, 'runSql');
    const session = options.planOnly === true ? context.get('session') : await mayRun(context);
    const outcome = await runSql(text, session, { ...options, signal: context.req.raw.signal });
    await auditSql(context, text, outcome);
    return context.json(jsonOf(SQL_OUTCOME, outcome), 200);
  });
  app.openapi(FIX_ROUTE, async (context) => {
    const { sql: text, ...options } = context.req.valid('json');
    const session = context.get('session');
    await authorize(context, 'showSql');
    const { signal } = context.req.raw;
    const byModel = mendWithModel(session, signal);
    const fix = await fixQuery(text, session, {
      ...options,
      signal,
      // What rules mend costs nothing; a model's part counts as a question does.
      mend: byModel && (async (left) => takeQuestions(context).then(() => byModel(left))),
    });
    return context.json(jsonOf(FIX, fix), 200);
  });
}
