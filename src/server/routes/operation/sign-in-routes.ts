/** Who is there: signing in with a key, out again, and what a person may do. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { CandorError } from '../../../errors.ts';
import { responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import type { Person } from '../../people/person.ts';
import { forgetSignIn, readSignIn, SIGN_IN_MS, userOfKey, writeSignIn } from '../../protect/authenticate.ts';
import { needAdmin } from '../../protect/authorize.ts';

const MOST_ENTRIES = 10_000;

const ME = z
  .strictObject({
    name: z.string(),
    isAdmin: z.boolean(),
    groups: z.array(z.string()),
    rights: z.strictObject({
      showSql: z.boolean(),
      runSql: z.boolean(),
      editKnowledge: z.boolean(),
      approval: z.enum(['allow', 'ask', 'deny']).openapi({ description: 'When queries of answers are run.' }),
    }),
    /** False: the server serves its own machine, and there is nobody to sign out. */
    isSignedIn: z.boolean(),
  })
  .openapi('Me');
const DONE = z.strictObject({ ok: z.literal(true) });
const ENTRY = z.strictObject({
  at: z.string(),
  who: z.string(),
  what: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

const WHO = createRoute({
  method: 'get',
  path: '/v1/me',
  tags: ['people'],
  summary: 'Who is signed in, and what they may do',
  responses: responses(ME, 'The person'),
});

const SIGN_IN = createRoute({
  method: 'post',
  path: '/v1/sign-in',
  tags: ['people'],
  summary: 'Sign a browser in with a key: the reply sets a cookie that scripts cannot read',
  request: {
    body: {
      required: true,
      content: { 'application/json': { schema: z.strictObject({ key: z.string().max(200) }) } },
    },
  },
  responses: responses(ME, 'The person'),
});

const WAYS = createRoute({
  method: 'get',
  path: '/v1/sign-in',
  tags: ['people'],
  summary: 'How one signs in here',
  responses: responses(
    z.strictObject({
      oidc: z.boolean().openapi({ description: 'A browser may be sent to /v1/oidc/start.' }),
    }),
    'The ways beside a key',
  ),
});

const SIGN_OUT = createRoute({
  method: 'post',
  path: '/v1/sign-out',
  tags: ['people'],
  summary: 'End the sign-in of this browser',
  responses: responses(DONE, 'Nobody is signed in here any more'),
});

const AUDIT = createRoute({
  method: 'get',
  path: '/v1/audit',
  tags: ['people'],
  summary: 'What people did, the oldest first; for admins',
  request: {
    query: z.object({
      since: z.iso.datetime().default('2000-01-01T00:00:00Z'),
      until: z.iso.datetime().default('9999-01-01T00:00:00Z'),
      limit: z.coerce.number().int().min(1).max(MOST_ENTRIES).default(1_000),
    }),
  },
  responses: responses(z.strictObject({ entries: z.array(ENTRY) }), 'Entries of the audit log'),
});

export function addSignInRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(WHO, (context) => {
    const { people } = context.get('parts');
    return context.json(meOf(context.get('person'), people !== undefined), 200);
  });
  app.openapi(SIGN_IN, async (context) => {
    const { people, newSecret } = context.get('parts');
    if (people === undefined) return context.json(meOf(context.get('person'), false), 200);
    const user = await userOfKey(context.req.valid('json').key, context, people);
    if (user === undefined) {
      await people.audit('nobody', 'sign-in failed', {});
      throw new CandorError('server.sign-in-needed', 'This is no key of anybody here.');
    }
    const secret = newSecret();
    await people.store.addSignIn(user.id, secret, new Date(people.now.getTime() + SIGN_IN_MS).toISOString());
    await people.audit(user.name, 'signed in', {});
    writeSignIn(context, secret);
    return context.json(meOf(people.personOf(user), true), 200);
  });
  app.openapi(WAYS, (context) =>
    context.json({ oidc: context.get('parts').people?.oidc !== undefined }, 200),
  );
  app.openapi(SIGN_OUT, async (context) => {
    const secret = readSignIn(context);
    if (secret !== undefined) await context.get('parts').people?.store.endSignIn(secret);
    forgetSignIn(context);
    return context.json({ ok: true as const }, 200);
  });
  app.openapi(AUDIT, async (context) => {
    await needAdmin(context);
    const { since, until, limit } = context.req.valid('query');
    const entries = (await context.get('parts').people?.log.list(since, until, limit)) ?? [];
    return context.json({ entries: entries.map((entry) => ({ ...entry })) }, 200);
  });
}

function meOf({ name, isAdmin, groups, rights }: Person, isSignedIn: boolean): z.infer<typeof ME> {
  const { showSql, runSql, editKnowledge, approval } = rights;
  return {
    name,
    isAdmin,
    groups: [...groups],
    rights: { showSql, runSql, editKnowledge, approval },
    isSignedIn,
  };
}
