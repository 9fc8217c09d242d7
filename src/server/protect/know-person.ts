import type { MiddlewareHandler } from 'hono';
import { LOCAL_PERSON } from '../person.ts';
import type { ServerEnv } from '../server-parts.ts';

/** Says who the request is of, and gives it that person's view of the database: routes know no other. */
export const knowPerson: MiddlewareHandler<ServerEnv> = async (context, next) => {
  context.set('person', LOCAL_PERSON);
  context.set('session', context.get('parts').session);
  await next();
};
