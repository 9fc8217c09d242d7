import { OpenAPIHono } from '@hono/zod-openapi';
import { propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { matchedRoutes } from 'hono/route';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { CandorError } from '../../errors.ts';
import { ATTRIBUTES, errorTypeOf, inSpan } from '../../tracing/index.ts';
import { VERSION } from '../../version.ts';
import { addMcpRoutes } from '../mcp/add-mcp-routes.ts';
import { failureReply } from '../parts/failure-reply.ts';
import type { ServerEnv, ServerParts } from '../parts/server-parts.ts';
import { admit } from '../protect/admit.ts';
import { authenticate } from '../protect/authenticate.ts';
import { allowEmbedding, checkOrigin, requireJson, setHeaders } from '../protect/check-origin.ts';
import { addAskRoutes } from '../routes/conversation/ask-routes.ts';
import { addChatRoutes } from '../routes/conversation/chat-routes.ts';
import { addOpenaiRoutes } from '../routes/conversation/openai-routes.ts';
import { addRecordRoutes } from '../routes/conversation/record-routes.ts';
import { addShareRoutes } from '../routes/conversation/share-routes.ts';
import { addFeedbackRoutes, addSuggestionRoutes } from '../routes/conversation/suggestion-routes.ts';
import { addJobRoutes } from '../routes/operation/job-routes.ts';
import { addOidcRoutes } from '../routes/operation/oidc-routes.ts';
import { serveWeb } from '../routes/operation/serve-web.ts';
import { addSettingsRoutes } from '../routes/operation/settings-routes.ts';
import { addSignInRoutes } from '../routes/operation/sign-in-routes.ts';
import { addHealthRoutes, addWorkspaceRoutes } from '../routes/operation/state-routes.ts';
import { addAreaRoutes } from '../routes/project/area-routes.ts';
import { addCatalogRoutes } from '../routes/project/catalog-routes.ts';
import { addCertifyRoutes } from '../routes/project/certify-routes.ts';
import { addFileRoutes } from '../routes/project/file-routes.ts';
import { addGraphRoutes } from '../routes/project/graph-routes.ts';
import { addProposalRoutes } from '../routes/project/proposal-routes.ts';
import { addReviewRoutes } from '../routes/project/review-routes.ts';
import { addSearchRoutes } from '../routes/project/search-routes.ts';
import { addTestRoutes } from '../routes/project/test-routes.ts';
import { pathOfWorkspace } from '../sessions/project-sessions.ts';

type Fetch = Hono['fetch'];

/** One function of a request for all workspaces: each has its whole app below its path, and protects itself. */
export function joinApps([home, ...others]: readonly [ServerParts, ...ServerParts[]]): Fetch {
  const homeApp = buildApp(home);
  if (others.length === 0) return homeApp.fetch;
  const joined = new Hono();
  for (const parts of others) {
    const path = pathOfWorkspace(parts.workspace);
    const bare = path.slice(0, -1);
    // What a page names relative to itself lies below its path only with the slash.
    joined.get(bare, (context) => context.redirect(path, 308));
    joined.mount(bare, buildApp(parts).fetch);
  }
  joined.notFound(({ req, env }) => homeApp.fetch(req.raw, env as object));
  return joined.fetch;
}

const MOST_BYTES = 1_000_000;
/** What a client is told to wait that was refused for another reason than the load. */
const RETRY_SECONDS = 5;
/** Routes that take a while for each request, and where they wait; turns of chats and tools of agents ask by themselves. */
const IN_LINE = {
  question: ['/v1/ask', '/v1/answers', '/v1/explain', '/v1/chat/completions', '/v1/records/:id/replay'],
  sql: ['/v1/sql', '/v1/fix', '/v1/review', '/v1/records/:id/rows'],
} as const;

/** All of HTTP of one workspace as one function of a request, which needs no port. */
function buildApp(parts: ServerParts): OpenAPIHono<ServerEnv> {
  const app = new OpenAPIHono<ServerEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      const [issue] = result.error.issues;
      const place = issue === undefined ? '' : issue.path.map(String).join('.');
      const target = result.target === 'json' ? 'body' : result.target;
      const message = `${target}${place === '' ? '' : ` ${place}`}: ${issue?.message ?? 'is not valid'}`;
      throw new CandorError('server.invalid-request', message);
    },
  });
  app.use(async (context, next) => {
    context.set('parts', parts);
    await next();
  });
  app.use(traceRequest, setHeaders, checkOrigin, allowEmbedding, authenticate);
  app.use(
    bodyLimit({
      maxSize: MOST_BYTES,
      onError: () => {
        throw new CandorError('server.too-large', `The request is larger than ${MOST_BYTES} bytes.`);
      },
    }),
  );
  app.use(requireJson);
  for (const path of IN_LINE.question) app.post(path, admit('question'));
  for (const path of IN_LINE.sql) app.post(path, admit('sql'));
  addHealthRoutes(app);
  addSettingsRoutes(app);
  addWorkspaceRoutes(app);
  addSignInRoutes(app);
  addOidcRoutes(app);
  addAskRoutes(app);
  addSuggestionRoutes(app);
  addCatalogRoutes(app);
  addSearchRoutes(app);
  addGraphRoutes(app);
  addAreaRoutes(app);
  addChatRoutes(app);
  addShareRoutes(app);
  addCertifyRoutes(app);
  addProposalRoutes(app);
  addFileRoutes(app);
  addReviewRoutes(app);
  addRecordRoutes(app);
  addTestRoutes(app);
  addJobRoutes(app);
  addFeedbackRoutes(app);
  addOpenaiRoutes(app);
  addMcpRoutes(app, parts);
  serveWeb(app);
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Candor', version: VERSION, description: 'Ask a database in plain words.' },
  });
  app.notFound(({ req }) => {
    throw new CandorError('server.unknown-route', `There is no ${req.method} ${req.path.slice(0, 200)}.`);
  });
  app.onError((error, context) => {
    const { status, body } = failureReply(readable(error), context.get('requestId') ?? '', {
      onBug: parts.onBug,
      // A workspace has places of its own.
      session: (context.get('parts') ?? parts).projectSessions.current,
    });
    if (status === 429) context.header('Retry-After', String(retryAfterOf(error)));
    // What was not read of the body would be taken for the next request.
    if (status === 413) context.header('Connection', 'close');
    return context.json(body, status as ContentfulStatusCode);
  });
  return app;
}

function retryAfterOf(error: Error): number {
  const seconds = error instanceof CandorError ? error.data.retryAfter : undefined;
  return typeof seconds === 'number' ? seconds : RETRY_SECONDS;
}

/** Hono's own errors: for a body that is no JSON, and for one of another type. */
function readable(error: Error): Error {
  const status = 'status' in error ? error.status : undefined;
  if (status === 415)
    return new CandorError('server.wrong-type', 'The request is not of the type application/json.');
  return status === 400 ? new CandorError('server.invalid-request', 'The body is not JSON.') : error;
}

/**
 * A span for every request, which goes on from the trace that its `traceparent` names. Of the address it has the route alone:
 * a path may hold the secret of a shared link, and what is asked for stands behind the question mark.
 */
const traceRequest: MiddlewareHandler<ServerEnv> = async (context, next) => {
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
