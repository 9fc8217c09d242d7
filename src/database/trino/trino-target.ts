/** What a `trino://` URL says. */
import { CandorError } from '../../errors.ts';
import {
  isLoopback,
  readNamedFile,
  readSwitch,
  readToken,
  readWarehouseUrl,
  redactUrl,
} from '../http/connection-url.ts';

const RULES = {
  form: 'trino://user[:password]@host[:port][/catalog[/schema]][?ssl=true|false&ca_file=…&access_token=…&roles=…&client_tags=…&session.name=value]',
  mostNames: 2,
  options: ['ssl', 'ca_file', 'access_token', 'roles', 'client_tags', 'session.'],
};
const SESSION_PREFIX = 'session.';

export interface TrinoTarget {
  /** Without secrets. */
  readonly url: string;
  readonly name: string;
  /** Scheme, host and port of the coordinator. */
  readonly origin: string;
  readonly isPlain: boolean;
  readonly user: string;
  /** The value of the header `Authorization`. */
  readonly authorization: string | undefined;
  readonly secrets: readonly string[];
  readonly ca: string | undefined;
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
  readonly sessionProperties: ReadonlyMap<string, string>;
  readonly roles: string | undefined;
  readonly clientTags: string | undefined;
}

/** TLS unless the host is this machine or the URL says `ssl=false`. Throws `database.invalid-url`. */
export function readTrinoUrl(text: string, baseDirectory?: string): TrinoTarget {
  const url = readWarehouseUrl(text, RULES);
  const { options, user, password } = url;
  if (user === undefined)
    throw new CandorError('database.invalid-url', `a Trino URL names a user; the form is ${RULES.form}`);
  const token = options.get('access_token');
  const ssl = readSwitch('ssl', options.get('ssl')) ?? (!isLoopback(url.hostname) || url.port === '443');
  if (!ssl && !isLoopback(url.hostname) && (password ?? token) !== undefined) {
    throw new CandorError(
      'database.invalid-url',
      'a password or token is not sent to another machine without TLS; leave out ssl=false',
    );
  }
  const caFile = options.get('ca_file');
  const [catalog, schema] = url.names;
  return {
    url: redactUrl(text),
    name: schema ?? catalog ?? url.hostname,
    origin: new URL(`${ssl ? 'https' : 'http'}://${url.hostname}:${url.port || (ssl ? '443' : '8080')}`)
      .origin,
    isPlain: !ssl,
    user,
    authorization: authorize(user, password, token),
    secrets: [password, token, password && encode(`${user}:${password}`)].filter(
      (part) => part !== undefined,
    ),
    ca: caFile === undefined ? undefined : readNamedFile('ca_file', caFile, baseDirectory),
    catalog,
    schema,
    sessionProperties: new Map(
      [...options]
        .filter(([name]) => name.startsWith(SESSION_PREFIX))
        .map(([name, value]) => [name.slice(SESSION_PREFIX.length), value]),
    ),
    roles: options.get('roles'),
    clientTags: options.get('client_tags'),
  };
}

function authorize(
  user: string,
  password: string | undefined,
  token: string | undefined,
): string | undefined {
  if (token !== undefined) return `Bearer ${readToken('access_token', token)}`;
  return password === undefined ? undefined : `Basic ${encode(`${user}:${password}`)}`;
}

/** Trino, as its own client, takes credentials for Latin-1; what has no place there goes as UTF-8. */
function encode(text: string): string {
  const isLatin = [...text].every((sign) => sign <= '\u00ff');
  return Buffer.from(text, isLatin ? 'latin1' : 'utf8').toString('base64');
}
