import type { Context, MiddlewareHandler } from 'hono';
import type { ServerEnv } from '../server-parts.ts';
import type { Admission } from './admission.ts';

/** Questions and SQL wait in lines of their own: neither holds up the other. */
export interface Admissions {
  readonly question: Admission;
  readonly sql: Admission;
}

/** Lets a request begin in its turn. Throws `server.overloaded`. */
export function admit(line: keyof Admissions): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const leave = await enter(context, line);
    try {
      await next();
    } finally {
      leave();
    }
  };
}

export function enter(context: Context<ServerEnv>, line: keyof Admissions): Promise<() => void> {
  const { admissions } = context.get('parts');
  return admissions[line].enter(context.get('person').id, context.req.raw.signal);
}
