/** Takes a URL such as `trino://user:secret@host:8443/catalog/schema?option=x` apart, and says what is wrong with it. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CandorError } from '../../errors.ts';

const CONTROL = /\p{Cc}/u;

export interface WarehouseUrl {
  /** With the port, as `host:8443`; an IPv6 address keeps its brackets. */
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The parts of the path, decoded. */
  readonly names: readonly string[];
  readonly options: ReadonlyMap<string, string>;
}

/** The URL's form, for errors, and the options it may have; one that ends in a dot allows any ending. */
export interface WarehouseUrlRules {
  readonly form: string;
  readonly mostNames: number;
  readonly options: readonly string[];
}

/** Throws `database.invalid-url`, never with a part that may hold a secret. */
export function readWarehouseUrl(text: string, rules: WarehouseUrlRules): WarehouseUrl {
  const invalid = (what: string): CandorError =>
    new CandorError('database.invalid-url', `${what}; the form is ${rules.form}`);
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw invalid('the database URL cannot be read');
  }
  const decode = (part: string): string => {
    let decoded: string;
    try {
      decoded = decodeURIComponent(part);
    } catch {
      throw invalid('a part of the database URL is not percent-encoded as it should be');
    }
    // Parts of the URL go into headers, where a line end would begin another header.
    if (CONTROL.test(decoded)) throw invalid('a part of the database URL holds a control character');
    return decoded;
  };
  const names = url.pathname.split('/').filter(Boolean).map(decode);
  if (url.hostname === '') throw invalid('the database URL names no host');
  if (names.length > rules.mostNames) throw invalid('the path of the database URL has too many parts');
  const options = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    const isKnown = rules.options.some((known) =>
      known.endsWith('.') ? name.startsWith(known) && name !== known : name === known,
    );
    if (!isKnown) throw invalid(`the database URL has an unknown option ${JSON.stringify(name)}`);
    if (options.has(name)) throw invalid(`the database URL has the option ${JSON.stringify(name)} twice`);
    if (CONTROL.test(value)) throw invalid(`the option ${JSON.stringify(name)} holds a control character`);
    options.set(name, value);
  }
  return {
    host: decode(url.host),
    hostname: decode(url.hostname),
    port: url.port,
    user: url.username === '' ? undefined : decode(url.username),
    password: url.password === '' ? undefined : decode(url.password),
    names,
    options,
  };
}

/** A file that a URL names, relative to `baseDirectory`. Throws `database.invalid-url` with the option and the path. */
export function readNamedFile(option: string, path: string, baseDirectory: string | undefined): string {
  const full = resolve(baseDirectory ?? '.', path);
  try {
    return readFileSync(full, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new CandorError('database.invalid-url', `the file of ${option} cannot be read: ${full}${code}`);
  }
}

/** An option that is `true` or `false`. */
export function readSwitch(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined || value === 'true' || value === 'false')
    return value === undefined ? value : value === 'true';
  throw new CandorError('database.invalid-url', `the option ${name} of the database URL is true or false`);
}

/** A token goes into a header, which takes printable ASCII only. */
export function readToken(option: string, token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new CandorError('database.invalid-url', `the token of ${option} holds signs that no token has`);
}

// URLs of database servers: how secrets get into them and never out of them.

/** Schemes of servers; everything else is a file. */
const SERVER = /^(?:postgres|postgresql|mysql|mariadb|trino|snowflake|bigquery):\/\//i;
const SECRET_PARAMETER = /password|passwd|^pwd$|passphrase|secret|token|api_?key/i;
/** Variables that the engines' own clients read, for a URL that leaves the secret out. */
const PASSWORD_VARIABLES: readonly (readonly [scheme: RegExp, variable: string])[] = [
  [/^postgres/i, 'PGPASSWORD'],
  [/^(?:mysql|mariadb)/i, 'MYSQL_PWD'],
  [/^trino/i, 'TRINO_PASSWORD'],
];
const CREDENTIALS_VARIABLE = 'GOOGLE_APPLICATION_CREDENTIALS';

export function isServerUrl(url: string): boolean {
  return SERVER.test(url.trim());
}

/** The URL without passwords and tokens: `postgres://reader:secret@db/shop` → `postgres://reader@db/shop`. */
export function redactUrl(url: string): string {
  const match = /^([a-z][a-z0-9+.-]+:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(url.trim());
  if (match === null) return url;
  const [, scheme = '', authority = '', path = '', query = ''] = match;
  // The last @ ends the user: an unescaped one may stand in a password.
  const at = authority.lastIndexOf('@');
  const user = at === -1 ? '' : `${authority.slice(0, at).split(':', 1)[0]}@`;
  const kept = query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !SECRET_PARAMETER.test(pair.split('=', 1)[0] ?? ''));
  return `${scheme}${user}${authority.slice(at + 1)}${path}${kept.length === 0 ? '' : `?${kept.join('&')}`}`;
}

/**
 * Puts values in place of `${VAR}`. Between `://` and `@` they are percent-encoded, so that any sign may stand in a
 * password: `postgres://u:${PW}@db/shop` with `p@ss` → `postgres://u:p%40ss@db/shop`.
 */
export function fillUrl(template: string, lookUp: (name: string, written: string) => string): string {
  const userEnd = isServerUrl(template) ? template.lastIndexOf('@') : -1;
  return template.replace(/\$\{([^}]*)\}/g, (written, name: string, offset: number) => {
    const value = lookUp(name, written);
    return offset < userEnd ? encodeURIComponent(value) : value;
  });
}

/** Adds the password, or the file with credentials, that the environment holds where the URL names none. */
export function addEnvironmentSecret(url: string, env: Readonly<Record<string, string | undefined>>): string {
  if (/^bigquery:\/\//i.test(url)) {
    const file = env[CREDENTIALS_VARIABLE];
    if (!file || /[?&](?:credentials|access_token)=/.test(url)) return url;
    return `${url}${url.includes('?') ? '&' : '?'}credentials=${encodeURIComponent(file)}`;
  }
  const variable = PASSWORD_VARIABLES.find(([scheme]) => scheme.test(url))?.[1];
  const password = variable === undefined ? undefined : env[variable];
  const user = /^([a-z]+:\/\/[^/?#:@]+)@/i.exec(url)?.[1];
  if (!password || user === undefined) return url;
  return `${user}:${encodeURIComponent(password)}${url.slice(user.length)}`;
}

/** Whether a host of a URL is this machine: `localhost`, `127.0.0.1`, `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
