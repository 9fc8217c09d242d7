/** What a `snowflake://` URL says. */

import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { CandorError } from '../../errors.ts';
import { withoutQuotes } from '../../sql/dialects/index.ts';
import { readNamedFile, readToken, readWarehouseUrl, redactUrl } from '../http/connection-url.ts';
import type { ServerClock } from '../http/http-session.ts';
import { readPrivateKey, signJwt } from '../http/sign-jwt.ts';

const RULES = {
  form: 'snowflake://user[:token]@account[/database[/schema]]?warehouse=…&role=…&private_key_file=…[&private_key_passphrase=…][&authenticator=snowflake_jwt|oauth|programmatic_access_token][&token_file=…][&endpoint=https://…]',
  mostNames: 2,
  options: [
    ...['warehouse', 'role', 'authenticator', 'private_key_file', 'private_key_passphrase'],
    ...['token', 'token_file', 'endpoint'],
  ],
};
/** Snowflake's names of the ways to log in, and the header that tells them apart. */
const TOKEN_TYPES: Readonly<Record<string, SnowflakeLogin['tokenType']>> = {
  snowflake_jwt: 'KEYPAIR_JWT',
  oauth: 'OAUTH',
  programmatic_access_token: 'PROGRAMMATIC_ACCESS_TOKEN',
};

export interface SnowflakeTarget {
  /** Without secrets. */
  readonly url: string;
  readonly name: string;
  readonly origin: string;
  readonly account: string;
  readonly user: string;
  readonly login: SnowflakeLogin;
  readonly secrets: readonly string[];
  /** All databases that the role may use when absent. */
  readonly database: string | undefined;
  readonly schema: string | undefined;
  readonly warehouse: string | undefined;
  readonly role: string | undefined;
}

/**
 * Names are read as SQL reads them: `sales` is SALES, `%22sales%22` (quoted) is sales. Throws `database.invalid-url`.
 */
export function readSnowflakeUrl(text: string, baseDirectory?: string): SnowflakeTarget {
  const url = readWarehouseUrl(text, RULES);
  const { options, user } = url;
  const [database, schema] = url.names.map(readName);
  if (user === undefined) {
    throw new CandorError('database.invalid-url', `a Snowflake URL names a user; the form is ${RULES.form}`);
  }
  const { login, secrets } = readLogin(options, url.password, baseDirectory);
  const endpoint = options.get('endpoint');
  return {
    url: redactUrl(text),
    name: schema ?? database ?? url.hostname,
    // Certificates do not allow for underscores in a host.
    origin: originOf(endpoint ?? `https://${url.hostname.replaceAll('_', '-')}.snowflakecomputing.com`),
    account: url.hostname,
    user,
    login,
    secrets,
    database,
    schema,
    warehouse: readOptionalName(options.get('warehouse')),
    role: readOptionalName(options.get('role')),
  };
}

function originOf(endpoint: string): string {
  try {
    return new URL(endpoint).origin;
  } catch {
    throw new CandorError('database.invalid-url', 'the option endpoint is not a URL such as https://host');
  }
}

function readLogin(
  options: ReadonlyMap<string, string>,
  password: string | undefined,
  baseDirectory: string | undefined,
): { login: SnowflakeLogin; secrets: readonly string[] } {
  const keyFile = options.get('private_key_file');
  const tokenFile = options.get('token_file');
  const named = options.get('authenticator') ?? (keyFile ? 'snowflake_jwt' : 'programmatic_access_token');
  const tokenType = TOKEN_TYPES[named.toLowerCase()];
  if (tokenType === undefined) {
    const known = Object.keys(TOKEN_TYPES).join(', ');
    throw new CandorError(
      'database.invalid-url',
      `authenticator ${JSON.stringify(named)} is not one of ${known}`,
    );
  }
  if (tokenType === 'KEYPAIR_JWT') {
    if (keyFile === undefined)
      throw new CandorError('database.invalid-url', 'the URL names no private_key_file');
    const passphrase = options.get('private_key_passphrase');
    const pem = readNamedFile('private_key_file', keyFile, baseDirectory);
    return {
      login: { tokenType, key: readPrivateKey('private_key_file', pem, passphrase) },
      secrets: passphrase === undefined ? [] : [passphrase],
    };
  }
  const token =
    password ??
    options.get('token') ??
    (tokenFile === undefined ? undefined : readNamedFile('token_file', tokenFile, baseDirectory).trim());
  if (!token) throw new CandorError('database.invalid-url', 'the URL names no token and no private_key_file');
  return { login: { tokenType, token: readToken('the login', token) }, secrets: [token] };
}

function readOptionalName(name: string | undefined): string | undefined {
  return name === undefined ? undefined : readName(name);
}

function readName(name: string): string {
  if (/^".+"$/.test(name)) return withoutQuotes(name);
  return /^[a-z_][a-z0-9_$]*$/i.test(name) ? name.toUpperCase() : name;
}

// Who asks: the headers of Snowflake's REST login. https://docs.snowflake.com/en/developer-guide/sql-api/authenticating

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
