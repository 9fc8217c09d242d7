import * as client from 'openid-client';
import type { OidcConfig } from '../../config/index.ts';
import { CandorError } from '../../errors.ts';
import { namesLoopback, once } from '../../lib/index.ts';

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
