/** What people have checked, kept for the next who asks. */
import { join } from 'node:path';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { readOwnRecord } from '../../../answering/index.ts';
import { CandorError } from '../../../errors.ts';
import { addExample } from '../../../knowledge/authored/index.ts';
import { responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { authorize } from '../../protect/authorize.ts';

const CERTIFY = createRoute({
  method: 'post',
  path: '/v1/certify',
  tags: ['knowledge'],
  summary: 'Keep an answer as a verified pair: a file in examples/, known from the next question on',
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.strictObject({
            recordId: z.string().min(1).max(100),
            sql: z.string().min(1).max(100_000).optional().openapi({
              description: 'A better query for the same question, which somebody has edited.',
            }),
          }),
        },
      },
    },
  },
  responses: responses(z.strictObject({ file: z.string(), isNew: z.boolean() }), 'The file of the pair'),
});

export function addCertifyRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(CERTIFY, async (context) => {
    await authorize(context, 'editKnowledge');
    const { projectSessions, people } = context.get('parts');
    const { name } = context.get('person');
    const session = context.get('session');
    const { recordId, sql: edited } = context.req.valid('json');
    const record = await readOwnRecord(recordId, session);
    const sql = edited ?? record.sql;
    if (sql === undefined)
      throw new CandorError(
        'knowledge.refused',
        'That question was not answered, so there is no query to certify.',
      );
    // What the guard refuses is no example for anybody.
    await session.database.explain(sql, context.req.raw.signal);
    const { examplesDirectory } = session.config;
    const verifiedAt = session.wallClock().toISOString().slice(0, 10);
    const pair = { question: record.readAs ?? record.question, sql, verifiedBy: name, verifiedAt };
    const kept = await projectSessions.change(async () => {
      const result = await addExample(examplesDirectory, pair);
      const path = join(examplesDirectory, result.file);
      return { result, ...(result.isNew && { written: { path, before: undefined } }) };
    });
    await people?.audit(name, 'certified', { file: kept.file, question: record.question, sql });
    return context.json(kept, 200);
  });
}
