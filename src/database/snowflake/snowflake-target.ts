/** What a `snowflake://` URL says. */

import { CandorError } from '../../errors.ts';
import { withoutQuotes } from '../../sql/index.ts';
import { redactUrl } from '../http/connection-url.ts';
import { readNamedFile, readToken, readWarehouseUrl } from '../http/read-warehouse-url.ts';
import { readPrivateKey } from '../http/sign-jwt.ts';
import type { SnowflakeLogin } from './snowflake-login.ts';

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
