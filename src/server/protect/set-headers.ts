import type { MiddlewareHandler } from 'hono';
import { CandorError } from '../../errors.ts';
import type { ServerEnv } from '../parts/server-parts.ts';

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

/** A form can be sent by a page of any origin without asking; JSON cannot. */
export const requireJson: MiddlewareHandler = async ({ req }, next) => {
  const length = req.header('content-length') ?? '0';
  const hasBody = length !== '0' || req.header('transfer-encoding') !== undefined;
  if (hasBody && !/^application\/json\b/i.test(req.header('content-type') ?? ''))
    throw new CandorError('server.wrong-type', 'The request is not of the type application/json.');
  await next();
};
