/** Reads `scheme://user:password@host:port/database?option=value`. Nothing of it is shown that may be secret. */

import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { CandorError } from '../../errors.ts';

export interface ServerUrl {
  /** A name, an address, or the folder or path of a unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Empty when the URL names none. */
  readonly database: string;
  readonly options: Readonly<Record<string, string>>;
  /** The URL without the password. */
  readonly shown: string;
}

export interface UrlRules {
  readonly defaultPort: number;
  /** Options that may stand after the question mark. */
  readonly options: readonly string[];
}

const CREDENTIALS: readonly string[] = ['user', 'password', 'host', 'port'];

/** Throws `database.invalid-url`; no message repeats a part that a misplaced password may have slipped into. */
export function parseServerUrl(text: string, rules: UrlRules): ServerUrl {
  const url = readUrl(text);
  const options: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    if (!rules.options.includes(name) && !CREDENTIALS.includes(name)) {
      // A name of letters only cannot be the tail of a password that was not encoded: those hold an @.
      const known = [...rules.options].sort().join(', ');
      throw invalidUrl(`the option ${JSON.stringify(name)} is not known; known are ${known}`);
    }
    options[name] = value;
  }
  const { user, password, host, port, ...rest } = options;
  const place = host ?? decode(url.hostname).replace(/^\[(.*)\]$/, '$1');
  if (place.includes(',')) throw invalidUrl('it names several hosts; write the one to read from');
  return {
    host: place === '' ? 'localhost' : place,
    port: readPort(port ?? url.port, rules.defaultPort),
    user: user ?? (url.username === '' ? userInfo().username : decode(url.username)),
    password: password ?? decode(url.password),
    database: decode(url.pathname.slice(1)),
    options: rest,
    shown: withoutSecrets(url),
  };
}

/** A whole number from `least` to `most`; the default where the option is absent. */
export function readNumberOption(
  { options }: Pick<ServerUrl, 'options'>,
  name: string,
  { least, most, absent }: { readonly least: number; readonly most: number; readonly absent: number },
): number {
  const text = options[name];
  if (text === undefined) return absent;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most) {
    throw invalidUrl(`the option ${name} must be a whole number from ${least} to ${most}`);
  }
  return number;
}

export function invalidUrl(message: string): CandorError {
  return new CandorError('database.invalid-url', `the database URL cannot be used: ${message}`);
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    throw invalidUrl('it is not of the form scheme://user:password@host:port/database');
  }
  // After the host an @ or a # comes from a password that was not encoded; a second / is no database.
  const isMisread =
    url.hash !== '' || /[@]/.test(url.pathname + url.search) || url.pathname.indexOf('/', 1) > 0;
  if (isMisread) {
    throw invalidUrl('write the characters @ : / ? # of a user, password or database as %40 %3A %2F %3F %23');
  }
  return url;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidUrl('a % in it does not begin an encoded character; write it as %25');
  }
}

function readPort(text: string, absent: number): number {
  if (text === '') return absent;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw invalidUrl('the port must be a number from 1 to 65535');
  }
  return port;
}

function withoutSecrets(url: URL): string {
  const shown = new URL(url.href);
  shown.password = '';
  shown.searchParams.delete('password');
  return shown.href;
}

/**
 * A certificate or key that an option of the URL names; `undefined` without it. Relative paths start from
 * `baseDirectory`. Throws `database.tls-failed` with the option's name when it is unreadable.
 */
export function readTlsFile(
  option: string,
  { options }: Pick<ServerUrl, 'options'>,
  baseDirectory: string,
): string | undefined {
  const named = options[option];
  if (named === undefined) return undefined;
  const path = resolve(baseDirectory, named);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CandorError('database.tls-failed', `the file of the option ${option} cannot be read: ${path}`, {
      cause: error,
    });
  }
}
