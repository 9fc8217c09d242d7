import type { Context } from 'hono';
import { CandorError } from '../../errors.ts';
import type { ServerEnv } from '../server-parts.ts';

const WORDS = {
  showSql: 'see SQL',
  runSql: 'run SQL of their own',
  editKnowledge: 'certify answers and change knowledge',
} as const;

/** Throws `server.no-right` where the person may not, and leaves a line in the audit log. */
export function needRight(context: Context<ServerEnv>, right: keyof typeof WORDS): void {
  const { name, rights } = context.get('person');
  if (rights[right]) return;
  context.get('parts').people?.audit(name, 'right denied', { right, path: context.req.path });
  throw new CandorError('server.no-right', `${name} may not ${WORDS[right]} here.`);
}

/** Files tell of every table and hold SQL. Throws `server.no-right` for whoever may not see or change all of it. */
export function needFiles(context: Context<ServerEnv>): void {
  needRight(context, 'editKnowledge');
  needRight(context, 'showSql');
  const { name, rights } = context.get('person');
  if (rights.tables === undefined) return;
  context.get('parts').people?.audit(name, 'right denied', { right: 'files', path: context.req.path });
  throw new CandorError('server.no-right', `${name} sees some tables alone, and files tell of all.`);
}

export function needAdmin(context: Context<ServerEnv>): void {
  const { name, isAdmin } = context.get('person');
  if (isAdmin) return;
  context.get('parts').people?.audit(name, 'right denied', { right: 'admin', path: context.req.path });
  throw new CandorError('server.no-right', `${name} is no admin of this server.`);
}

/** Throws `server.quota` where so many are more than the hour has left; then none is taken. */
export function takeQuestions(context: Context<ServerEnv>, count = 1): void {
  const { people } = context.get('parts');
  const person = context.get('person');
  if (people?.takeQuestions(person, count) ?? true) return;
  const what =
    count === 1
      ? `${person.name} has asked all questions of this hour.`
      : `${count} questions are more than ${person.name} has left of this hour.`;
  throw new CandorError('server.quota', what);
}
