/** Sign-in of browsers through OpenID Connect. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { CandorError, toCandorError } from '../../../errors.ts';
import { FAILURES } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { userOfClaims } from '../../people/oidc-client.ts';
import type { User } from '../../people/people-store.ts';
import { FLOW_MS, SIGN_IN_MS, takeFlow, writeFlow, writeSignIn } from '../../protect/authenticate.ts';
import { pathOfWorkspace } from '../../sessions/project-sessions.ts';

const CALLBACK = '/v1/oidc/callback';
/** Where the page says that it did not work; why is told to admins, in the audit log. */
const FAILED_PAGE = '#/sign-in-failed';

const START = createRoute({
  method: 'get',
  path: '/v1/oidc/start',
  tags: ['people'],
  summary: 'Sign a browser in with the OpenID Connect issuer of this server',
  responses: { 302: { description: 'To the issuer' }, ...FAILURES },
});

const BACK = createRoute({
  method: 'get',
  path: CALLBACK,
  tags: ['people'],
  summary: 'Where the issuer sends the browser back to',
  request: {
    query: z.looseObject({ state: z.string().max(1_000), code: z.string().max(10_000).optional() }),
  },
  responses: { 302: { description: 'To the page, signed in or not' }, ...FAILURES },
});

export function addOidcRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(START, (context) =>
    orToFailedPage(context, async () => {
      const { client, flows, people, newSecret } = oidcOf(context);
      const { workspace } = context.get('parts');
      const flow = { state: newSecret(), nonce: newSecret(), verifier: newSecret(), workspace };
      const to = await client.startUrl(flow, `${originOf(context)}${CALLBACK}`);
      await flows.add(flow, spanFrom(people.now, FLOW_MS));
      writeFlow(context, flow.state);
      return to.href;
    }),
  );
  app.openapi(BACK, (context) =>
    orToFailedPage(context, async () => {
      const { people, newSecret } = oidcOf(context);
      const { user, workspace } = await userOfReturn(context, context.req.valid('query').state);
      const secret = newSecret();
      await people.store.addSignIn(user.id, secret, spanFrom(people.now, SIGN_IN_MS).until);
      await people.audit(user.name, 'signed in', { by: 'OpenID Connect' });
      writeSignIn(context, secret);
      return pathOfWorkspace(workspace);
    }),
  );
}

/** A browser is at these routes, not a program: what failed leads to a page of ours. */
async function orToFailedPage(context: Context<ServerEnv>, work: () => Promise<string>): Promise<Response> {
  try {
    return context.redirect(await work(), 302);
  } catch (error) {
    const { code, message } = toCandorError(error);
    if (code !== 'server.oidc-failed') throw error;
    await oidcOf(context).people.audit('nobody', 'sign-in failed', {
      by: 'OpenID Connect',
      because: message,
    });
    return context.redirect(`${pathOfWorkspace(context.get('parts').workspace)}${FAILED_PAGE}`, 302);
  }
}

/** Throws `server.oidc-failed`. */
async function userOfReturn(
  context: Context<ServerEnv>,
  state: string,
): Promise<{ readonly user: User; readonly workspace: string }> {
  const { client, flows, settings, people } = oidcOf(context);
  const at = people.now.toISOString();
  // The browser that comes back is the one that went: nobody is signed in as somebody else by a link.
  const flow = takeFlow(context) === state ? await flows.take(state, at) : undefined;
  if (flow === undefined)
    throw new CandorError('server.oidc-failed', 'This sign-in was not begun in this browser, or it is over.');
  const { search } = new URL(context.req.url);
  const claims = await client.claimsOf(new URL(`${originOf(context)}${CALLBACK}${search}`), flow);
  const { newId } = context.get('parts');
  const user = await userOfClaims(claims, settings, { store: people.store, newId, at });
  return { user, workspace: flow.workspace };
}

/** Throws `server.unknown-route` where the server has no issuer. */
function oidcOf(context: Context<ServerEnv>) {
  const { people, newSecret } = context.get('parts');
  if (people?.oidc === undefined)
    throw new CandorError('server.unknown-route', 'This server signs nobody in with OpenID Connect.');
  return { ...people.oidc, people, newSecret };
}

/** What the browser calls us by: the host was checked to be one of ours. */
function originOf(context: Context<ServerEnv>): string {
  const host = (context.req.header('host') ?? '').toLowerCase();
  return context.get('parts').publicOrigins.get(host) ?? `http://${host}`;
}

function spanFrom(now: Date, ms: number): { readonly at: string; readonly until: string } {
  return { at: now.toISOString(), until: new Date(now.getTime() + ms).toISOString() };
}
