import { z } from 'zod';
import { CandorError } from '../errors.ts';
import type { Talk } from './turn/turn.ts';

const TEXTS = z.array(z.string());

const TALK = z.object({
  turns: z.array(z.object({ question: z.string(), answer: z.string() })),
  after: TEXTS,
  lastQuery: z
    .object({
      question: z.string(),
      sql: z.string(),
      recordId: z.string(),
      explanation: z.string().optional(),
      parts: z.array(z.object({ sql: z.string(), because: z.string() })).optional(),
      assumptions: TEXTS.optional(),
    })
    .optional(),
  mended: z.string().optional(),
  tables: TEXTS,
  within: TEXTS.optional(),
  pending: z.object({ recordId: z.string(), options: TEXTS.optional() }).optional(),
  choosing: z.string().optional(),
  ticked: TEXTS.optional(),
  assumed: z.record(z.string(), z.string()).optional(),
});

/** A talk that was kept as JSON, checked. Throws `talk.invalid`. */
export function parseTalk(value: unknown): Talk {
  const parsed = TALK.safeParse(value);
  if (parsed.success) return withoutAbsent(parsed.data);
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw new CandorError('talk.invalid', `This is no talk${place}: ${issue?.message ?? 'unknown form'}.`);
}

function withoutAbsent({
  lastQuery,
  mended,
  within,
  pending,
  choosing,
  ticked,
  assumed,
  ...talk
}: z.infer<typeof TALK>): Talk {
  return {
    ...talk,
    ...(lastQuery !== undefined && { lastQuery: lastQueryOf(lastQuery) }),
    ...(mended !== undefined && { mended }),
    ...(within !== undefined && { within }),
    ...(pending !== undefined && {
      pending: {
        recordId: pending.recordId,
        ...(pending.options !== undefined && { options: pending.options }),
      },
    }),
    ...(choosing !== undefined && { choosing }),
    ...(ticked !== undefined && { ticked }),
    ...(assumed !== undefined && { assumed }),
  };
}

function lastQueryOf({
  explanation,
  parts,
  assumptions,
  ...last
}: NonNullable<z.infer<typeof TALK>['lastQuery']>): NonNullable<Talk['lastQuery']> {
  return {
    ...last,
    ...(explanation !== undefined && { explanation }),
    ...(parts !== undefined && { parts }),
    ...(assumptions !== undefined && { assumptions }),
  };
}
