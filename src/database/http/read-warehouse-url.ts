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
