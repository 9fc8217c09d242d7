/** Who asks: the headers of Snowflake's REST login. https://docs.snowflake.com/en/developer-guide/sql-api/authenticating */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { ServerClock } from '../http/server-clock.ts';
import { signJwt } from '../http/sign-jwt.ts';

/** A key that signs tokens of our own, or a token that somebody made. */
export type SnowflakeLogin =
  | { readonly tokenType: 'KEYPAIR_JWT'; readonly key: KeyObject }
  | { readonly tokenType: 'OAUTH' | 'PROGRAMMATIC_ACCESS_TOKEN'; readonly token: string };

/** Snowflake takes no token that is valid for longer than an hour. */
const VALID_SECONDS = 3600;
const RENEWED_BEFORE_SECONDS = 300;

export class SnowflakeTokens {
  readonly #login: SnowflakeLogin;
  readonly #subject: string;
  readonly #clock: ServerClock;
  #signed: { readonly token: string; readonly until: number } | null = null;

  constructor(login: SnowflakeLogin, account: string, user: string, clock: ServerClock) {
    this.#login = login;
    this.#subject = `${accountName(account)}.${user.toUpperCase()}`;
    this.#clock = clock;
  }

  async headers(signal: AbortSignal): Promise<Record<string, string>> {
    const token = this.#login.tokenType === 'KEYPAIR_JWT' ? await this.#sign(signal) : this.#login.token;
    return {
      authorization: `Bearer ${token}`,
      'x-snowflake-authorization-token-type': this.#login.tokenType,
    };
  }

  async #sign(signal: AbortSignal): Promise<string> {
    if (this.#login.tokenType !== 'KEYPAIR_JWT') return this.#login.token;
    const now = await this.#clock.seconds(signal);
    if (this.#signed !== null && now < this.#signed.until - RENEWED_BEFORE_SECONDS) return this.#signed.token;
    const until = now + VALID_SECONDS;
    const issuer = `${this.#subject}.${fingerprint(this.#login.key)}`;
    const token = signJwt({ iss: issuer, sub: this.#subject, iat: now, exp: until }, this.#login.key);
    this.#clock.session.hide(token);
    this.#signed = { token, until };
    return token;
  }
}

/** `xy12345.eu-central-1` → `XY12345`: the region is no part of an account locator's name. */
function accountName(account: string): string {
  return account.split('.', 1).join('').toUpperCase();
}

/** As DESCRIBE USER shows it: `SHA256:` and the hash of the public key. */
function fingerprint(key: KeyObject): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return `SHA256:${createHash('sha256').update(der).digest('base64')}`;
}
