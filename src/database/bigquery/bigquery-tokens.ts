/** Access tokens for BigQuery: a signed claim is exchanged at the token service (RFC 7523, JWT bearer grant). */
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { HttpSession } from '../http/http-session.ts';
import { ServerClock } from '../http/http-session.ts';
import { signJwt } from '../http/sign-jwt.ts';
import type { BigqueryLogin } from './bigquery-target.ts';

const SCOPE = 'https://www.googleapis.com/auth/bigquery';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const VALID_SECONDS = 3600;
const RENEWED_BEFORE_SECONDS = 300;
const TOKEN = z.object({ access_token: z.string(), expires_in: z.number() });
const FAILURE = z.object({ error: z.string(), error_description: z.string().optional() });

export class BigqueryTokens {
  readonly #login: BigqueryLogin;
  readonly #session: HttpSession;
  readonly #clock: ServerClock | null;
  #exchanged: { readonly token: string; readonly until: number } | null = null;

  constructor(login: BigqueryLogin, session: HttpSession) {
    this.#login = login;
    this.#session = session;
    this.#clock = login.kind === 'key' ? new ServerClock(session, new URL(login.tokenUri).origin) : null;
  }

  /** Throws `database.access-denied` when the token service refuses the key. */
  async headers(signal: AbortSignal): Promise<Record<string, string>> {
    return { authorization: `Bearer ${await this.#token(signal)}` };
  }

  async #token(signal: AbortSignal): Promise<string> {
    if (this.#login.kind === 'token' || this.#clock === null) {
      return this.#login.kind === 'token' ? this.#login.token : '';
    }
    const now = await this.#clock.seconds(signal);
    if (this.#exchanged !== null && now < this.#exchanged.until - RENEWED_BEFORE_SECONDS) {
      return this.#exchanged.token;
    }
    const { email, key, tokenUri, subject } = this.#login;
    const claims = {
      ...{ iss: email, scope: SCOPE, aud: tokenUri, iat: now, exp: now + VALID_SECONDS },
      ...(subject === undefined ? {} : { sub: subject }),
    };
    const answer = await this.#session.send({
      method: 'POST',
      url: tokenUri,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT, assertion: signJwt(claims, key) }).toString(),
      signal,
    });
    if (answer.status !== 200) throw this.#refusal(answer.status, answer.body);
    const parsed = TOKEN.safeParse(readJson(answer.body));
    if (!parsed.success) throw this.#session.badAnswer('the token service sent no token');
    const { access_token: token, expires_in: seconds } = parsed.data;
    this.#session.hide(token);
    this.#exchanged = { token, until: now + seconds };
    return token;
  }

  #refusal(status: number, body: string): CandorError {
    const failure = FAILURE.safeParse(readJson(body));
    const words = failure.success
      ? `${failure.data.error}: ${failure.data.error_description ?? ''}`
      : `HTTP ${status}`;
    return new CandorError('database.access-denied', `Google refuses the key of the account: ${words}`);
  }
}

/** `undefined` for what is not JSON: the caller says what it wanted. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
