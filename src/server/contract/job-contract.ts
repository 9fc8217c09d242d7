/** Background jobs as JSON over HTTP. */
import { z } from '@hono/zod-openapi';
import { JOB_KINDS, JOB_STATES } from '../../jobs/index.ts';

export const JOB_KIND = z.enum(JOB_KINDS);
export const JOB_STATE = z.enum(JOB_STATES);

const TIME = z.iso.datetime();
const ERROR = z.strictObject({
  code: z.string(),
  message: z.string(),
  next: z.string().openapi({ description: 'What to do.' }),
});

export const JOB = z
  .strictObject({
    id: z.uuid(),
    project: z.string().openapi({ description: 'Name of the workspace; empty for the project itself.' }),
    kind: JOB_KIND,
    state: JOB_STATE,
    by: z.string().openapi({ description: 'Who started it; `schedule` where nobody did.' }),
    createdAt: TIME,
    notBefore: TIME.optional().openapi({
      description: 'Of a waiting or retrying job: it is not taken before.',
    }),
    endedAt: TIME.optional(),
    isCancelling: z.boolean(),
    progress: z
      .strictObject({
        stage: z.string(),
        done: z.number(),
        total: z.number(),
        etaSeconds: z.number().optional(),
        table: z.string().optional(),
      })
      .optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: ERROR.optional(),
    attempts: z.array(
      z.strictObject({
        number: z.int(),
        worker: z.string(),
        beganAt: TIME,
        endedAt: TIME.optional(),
        outcome: z
          .enum(['done', 'failed', 'cancelled', 'lost', 'returned'])
          .optional()
          .openapi({ description: '`lost`: its worker died; `returned`: its worker was asked to end.' }),
        error: ERROR.optional(),
      }),
    ),
  })
  .openapi('Job');
