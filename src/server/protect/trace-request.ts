import { propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { ATTRIBUTES, errorTypeOf, inSpan } from '../../tracing/index.ts';
import type { ServerEnv } from '../parts/server-parts.ts';

/**
 * A span for every request, which goes on from the trace that its `traceparent` names. Of the address it has the route alone:
 * a path may hold the secret of a shared link, and what is asked for stands behind the question mark.
 */
export const traceRequest: MiddlewareHandler<ServerEnv> = async (context, next) => {
  const { method, url } = context.req;
  const attributes = {
    [ATTRIBUTES.httpMethod]: method,
    [ATTRIBUTES.urlScheme]: new URL(url).protocol.slice(0, -1),
    [ATTRIBUTES.workspace]: context.get('parts').workspace || undefined,
  };
  // Not from what is in work: the server itself may have been started inside a span.
  const parent = propagation.extract(ROOT_CONTEXT, context.req.header());
  await inSpan(method, { kind: 'server', attributes, parent }, async ({ tell, rename, fail }) => {
    await next();
    const { status } = context.res;
    const route = routeOf(context);
    if (route !== undefined) rename(`${method} ${route}`);
    tell({ [ATTRIBUTES.httpRoute]: route, [ATTRIBUTES.httpStatus]: status });
    // What a client did wrong is no fault of the server.
    if (status >= 500) fail(context.error === undefined ? String(status) : errorTypeOf(context.error));
  });
};

/** The pattern of the address, with names in place of what is asked for; that of middleware is every address. */
function routeOf(context: Context<ServerEnv>): string | undefined {
  return matchedRoutes(context).findLast(({ path }) => !path.endsWith('*'))?.path;
}
