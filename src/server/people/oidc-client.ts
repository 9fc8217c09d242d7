import * as client from 'openid-client';
import { z } from 'zod';
import type { OidcConfig } from '../../config/index.ts';
import { CandorError } from '../../errors.ts';
import { namesLoopback, once } from '../../lib/index.ts';
import type { PeopleStore, User } from './people-store.ts';

/** What keeps an answer of the issuer from being played to another browser, or twice. */
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
  /** Where it was begun, and leads back to. */
  readonly workspace: string;
}

/** What the issuer says of a person, after everything about its token was checked. */
export type OidcClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

const TIMEOUT_S = 15;

/** The authorization code flow with PKCE, state and nonce. Throws `server.oidc-failed`. */
export class OidcClient {
  readonly #settings: OidcConfig;
  /** Found once; what fails is tried again by the next who signs in. */
  readonly #discover = once(() => this.#find());

  constructor(settings: OidcConfig) {
    this.#settings = settings;
  }

  /** Where the browser goes to sign in. */
  async startUrl({ state, nonce, verifier }: OidcFlow, redirectUrl: string): Promise<URL> {
    const { scope = 'openid email profile' } = this.#settings;
    return client.buildAuthorizationUrl(await this.#discover(), {
      redirect_uri: redirectUrl,
      scope,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...{ state, nonce },
    });
  }

  /** Trades the code in the URL that the browser came back with. */
  async claimsOf(currentUrl: URL, { state, nonce, verifier }: OidcFlow): Promise<OidcClaims> {
    const configuration = await this.#discover();
    const tokens = await orFailed(() =>
      client.authorizationCodeGrant(configuration, currentUrl, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
        idTokenExpected: true,
      }),
    );
    const claims = tokens.claims();
    if (claims === undefined) throw new CandorError('server.oidc-failed', 'The issuer sent no ID token.');
    return claims;
  }

  async #find(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const url = new URL(issuer);
    const isLocal = url.protocol === 'http:' && namesLoopback(url.host);
    if (url.protocol !== 'https:' && !isLocal)
      throw new CandorError('server.oidc-failed', 'The issuer is not named by https.');
    // The signature counts too: beyond the issuer's TLS, which may end at a proxy.
    const execute = [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])];
    return orFailed(() =>
      clientSecret === undefined
        ? client.discovery(url, clientId, undefined, client.None(), { execute, timeout: TIMEOUT_S })
        : client.discovery(url, clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_S }),
    );
  }
}

async function orFailed<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    // Messages of the client name the check that failed, never a token.
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CandorError('server.oidc-failed', `Signing in with the issuer failed: ${reason}.`, { cause });
  }
}

const CLAIMS = z.object({
  sub: z.string().min(1).max(255),
  email: z.email(),
  email_verified: z.literal(true),
});

/**
 * Who the claims are of: known by issuer and subject; at first by a verified address, under which an admin may have added
 * them before. Whoever is new becomes a user who is no admin. Throws `server.oidc-failed`.
 */
export async function userOfClaims(
  claims: OidcClaims,
  { issuer, groupsClaim, allowedDomains }: OidcConfig,
  { store, newId, at }: { readonly store: PeopleStore; readonly newId: () => string; readonly at: string },
): Promise<User> {
  const parsed = CLAIMS.safeParse(claims);
  if (!parsed.success)
    throw refused('the issuer names no e-mail address that it has verified (claims email, email_verified)');
  const name = parsed.data.email.toLowerCase();
  const domain = name.slice(name.lastIndexOf('@') + 1);
  if (!allowedDomains.some((allowed) => allowed.toLowerCase() === domain))
    throw refused(`people of ${domain} are not let in`);
  const subject = `${issuer} ${parsed.data.sub}`;
  const groups = groupsClaim === undefined ? undefined : groupsOf(claims[groupsClaim]);
  const known = (await store.findBySubject(subject)) ?? (await store.findUser(name));
  if (known === undefined)
    await store.addUser({ id: newId(), name, isAdmin: false, groups: groups ?? [], subject, createdAt: at });
  else if (known.subject !== undefined && known.subject !== subject)
    throw refused(`${name} is another person of the issuer by now`);
  else await store.changeUser(known.name, { subject, ...(groups !== undefined && { groups }) });
  const user = await store.findBySubject(subject);
  if (user === undefined || user.isDisabled) throw refused('this user is let in no more');
  return user;
}

/** A claim of another form names no group. */
function groupsOf(claim: unknown): readonly string[] {
  const listed = z.union([z.array(z.string()), z.string().transform((text) => [text])]).safeParse(claim);
  return listed.success ? listed.data : [];
}

function refused(because: string): CandorError {
  return new CandorError('server.oidc-failed', `Nobody is signed in: ${because}.`);
}
