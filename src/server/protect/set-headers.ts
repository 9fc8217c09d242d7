import type { MiddlewareHandler } from 'hono';
import type { ServerEnv } from '../server-parts.ts';

/** An id for every request, and what keeps browsers from doing more with a reply than we mean. */
export const setHeaders: MiddlewareHandler<ServerEnv> = async (context, next) => {
  const requestId = context.get('parts').newId();
  context.set('requestId', requestId);
  await next();
  context.header('X-Request-Id', requestId);
  context.header('X-Content-Type-Options', 'nosniff');
  context.header('X-Frame-Options', 'DENY');
  context.header('Referrer-Policy', 'no-referrer');
  if (context.res.headers.get('cache-control') === null) context.header('Cache-Control', 'no-store');
};
