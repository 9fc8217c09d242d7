/** What was answered: how it was found, what it cost, what left the machine; and the same once more. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { readOwnRecord, replay, runSql } from '../../../answering/index.ts';
import { CandorError } from '../../../errors.ts';
import { type DecisionRecord, RECORD } from '../../../session/index.ts';
import { ANSWER, jsonOf } from '../../contract/answer-contract.ts';
import { responses } from '../../contract/failure-contract.ts';
import { SQL_OUTCOME } from '../../contract/sql-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { mayRun, takeQuestions } from '../../protect/authorize.ts';
import { outcomeWithoutSql, recordWithoutSql, shownTo } from '../../protect/hide-sql.ts';

const ID = z.string().min(1).max(100);
const BY_ID = { params: z.object({ id: ID }) };

/** Records of answers as JSON over HTTP. */
const OUTCOME = z.enum(['answered', 'clarify', 'follow_up', 'reject', 'abstain']);

const LISTED_RECORD = z
  .strictObject({
    id: z.string(),
    at: z.string(),
    question: z.string(),
    kind: OUTCOME,
    rowCount: z.number().optional(),
    ms: z.number(),
    model: z.string().optional(),
    cost: z
      .number()
      .optional()
      .openapi({ description: 'In US dollars, where somebody says what a token costs.' }),
  })
  .openapi('ListedRecord');

export const RECORD_LIST = z.strictObject({
  records: z.array(LISTED_RECORD),
  next: z.string().optional().openapi({ description: 'There may be more, even where this page is empty.' }),
});

const LIST = createRoute({
  method: 'get',
  path: '/v1/records',
  tags: ['records'],
  summary: 'Questions that were answered to you, the newest first',
  request: {
    query: z.object({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      before: ID.optional().openapi({ description: '`next` of the page before.' }),
      outcome: OUTCOME.optional(),
    }),
  },
  responses: responses(RECORD_LIST, 'Records'),
});

export const KEPT_RECORD = z.strictObject(RECORD.shape).openapi('Record');

const READ = createRoute({
  method: 'get',
  path: '/v1/records/{id}',
  tags: ['records'],
  summary: 'One record whole: stages, checks, cost, and what a model was told; it holds no rows',
  request: BY_ID,
  responses: responses(KEPT_RECORD, 'The record'),
});

const ROWS_OF = createRoute({
  method: 'post',
  path: '/v1/records/{id}/rows',
  tags: ['records'],
  summary:
    'Run the query of an answer: of one that waits for an approval, or once more, since rows are not kept',
  request: BY_ID,
  responses: responses(SQL_OUTCOME, 'Its rows as they are now, under the rights of now'),
});

export const REPLAYED = z.strictObject({
  same: z.boolean(),
  differences: z.array(z.string()),
  answer: ANSWER,
});

const REPLAY = createRoute({
  method: 'post',
  path: '/v1/records/{id}/replay',
  tags: ['records'],
  summary: 'Ask it again, on the day it was asked, and say what came out differently',
  request: BY_ID,
  responses: responses(REPLAYED, 'What came this time; it is not recorded'),
});

export function addRecordRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(LIST, async (context) => {
    const { limit, before, outcome } = context.req.valid('query');
    const { records: store, reader } = context.get('session');
    const { records, next } = await store.page({
      most: limit,
      ...(before !== undefined && { before }),
      ...(reader !== undefined && { reader }),
      ...(outcome !== undefined && { kind: outcome }),
    });
    return context.json({ records: records.map(listed), ...(next !== undefined && { next }) }, 200);
  });
  app.openapi(READ, async (context) => {
    const session = context.get('session');
    const record = await readOwnRecord(context.req.valid('param').id, session);
    const { rights, isAdmin } = context.get('person');
    const shown = rights.showSql ? record : recordWithoutSql(record);
    // Where the database lies is for those who run the server.
    const database = isAdmin ? record.database : session.database.name;
    return context.json(jsonOf(KEPT_RECORD, { ...shown, database }), 200);
  });
  app.openapi(ROWS_OF, async (context) => {
    const session = await mayRun(context);
    const { id, sql } = await readOwnRecord(context.req.valid('param').id, session);
    if (sql === undefined)
      throw new CandorError('server.invalid-request', `The record ${id} is of no query that could run.`);
    const { people } = context.get('parts');
    const { name, rights } = context.get('person');
    await people?.audit(name, 'approved', { recordId: id, sql });
    const outcome = await runSql(sql, session, { signal: context.req.raw.signal });
    const rows = outcome.kind === 'answered' ? outcome.rows.length : 0;
    const audit = { recordId: id, outcome: outcome.kind, rows };
    await people?.audit(name, 'rows', audit);
    return context.json(jsonOf(SQL_OUTCOME, rights.showSql ? outcome : outcomeWithoutSql(outcome)), 200);
  });
  app.openapi(REPLAY, async (context) => {
    await takeQuestions(context);
    const { id } = context.req.valid('param');
    const { answer, ...compared } = await replay(id, context.get('session'), {
      signal: context.req.raw.signal,
    });
    const shown = jsonOf(ANSWER, await shownTo(context, answer));
    return context.json({ ...compared, differences: [...compared.differences], answer: shown }, 200);
  });
}

function listed({
  id,
  at,
  question,
  kind,
  rowCount,
  stages,
  model,
}: DecisionRecord): z.infer<typeof LISTED_RECORD> {
  return {
    ...{ id, at, question, kind },
    ...(rowCount !== undefined && { rowCount }),
    ms: stages.reduce((sum, { ms }) => sum + ms, 0),
    ...(model !== undefined && { model: model.id }),
    ...(model?.cost !== undefined && { cost: model.cost }),
  };
}
