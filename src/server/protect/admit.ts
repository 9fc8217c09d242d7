import type { Context, MiddlewareHandler } from 'hono';
import type { Admissions } from '../parts/admission.ts';
import type { ServerEnv } from '../parts/server-parts.ts';

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
