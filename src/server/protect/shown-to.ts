import type { Context } from 'hono';
import type { Answer } from '../../answer.ts';
import type { ServerEnv } from '../parts/server-parts.ts';
import { answerWithoutSql } from './hide-sql.ts';

/** An answer as the person of the request may see it, entered in the audit log. */
export async function shownTo(context: Context<ServerEnv>, answer: Answer): Promise<Answer> {
  const { name, rights } = context.get('person');
  await context.get('parts').people?.auditAnswer(name, answer);
  return rights.showSql ? answer : answerWithoutSql(answer);
}
