/** From a PostgreSQL URL to the driver's settings. The words are libpq's. */
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import {
  invalidUrl,
  parseServerUrl,
  readNumberOption,
  readTlsFile,
  type ServerUrl,
} from '../server/server-url.ts';

const RULES = {
  defaultPort: 5432,
  options: [
    ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'channel_binding'],
    ...['connect_timeout', 'application_name', 'pool'],
  ],
};
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];
const CONNECT_TIMEOUT_S = 10;
const POOL_SIZE = 4;
const KEEP_ALIVE_AFTER_MS = 30_000;

export interface PostgresConfig {
  readonly url: ServerUrl;
  readonly database: string;
  readonly poolSize: number;
  /** Try again without TLS when the server offers none. */
  readonly mayDropTls: boolean;
  readonly client: ClientConfig;
}

/**
 * `sslmode` means what it means to libpq; absent it is `prefer`: TLS where the server has it, without checking who
 * it is. `verify-full` is the mode for a network that is not trusted. Everything is given to the driver, which would
 * otherwise look into the environment. Throws `database.invalid-url` or `database.tls-failed`.
 */
export function readPostgresConfig(text: string, baseDirectory: string): PostgresConfig {
  const url = parseServerUrl(text, RULES);
  const database = url.database === '' ? url.user : url.database;
  const mode = readSslMode(url);
  return {
    url,
    database,
    poolSize: readNumberOption(url, 'pool', { least: 1, most: 100, absent: POOL_SIZE }),
    mayDropTls: mode === 'prefer',
    client: {
      host: url.host,
      port: url.port,
      user: url.user,
      // A function: an absent password would make the driver look for one elsewhere.
      password: () => url.password,
      database,
      ssl: readSsl(mode, url, baseDirectory),
      enableChannelBinding: ['require', 'prefer'].includes(url.options.channel_binding ?? ''),
      application_name: url.options.application_name ?? 'candor',
      connectionTimeoutMillis:
        1000 * readNumberOption(url, 'connect_timeout', { least: 1, most: 600, absent: CONNECT_TIMEOUT_S }),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    },
  };
}

function readSslMode(url: ServerUrl): SslMode {
  // A unix socket does not leave the machine, and has no TLS.
  if (url.host.startsWith('/')) return 'disable';
  const text = url.options.sslmode ?? 'prefer';
  const mode = SSL_MODES.find((known) => known === text);
  if (mode === undefined) throw invalidUrl(`sslmode must be one of ${SSL_MODES.join(', ')}`);
  // As in libpq: a root certificate that is named is meant to be used.
  return mode === 'require' && url.options.sslrootcert !== undefined ? 'verify-ca' : mode;
}

function readSsl(mode: SslMode, url: ServerUrl, baseDirectory: string): false | ConnectionOptions {
  if (mode === 'disable') return false;
  const isSystem = url.options.sslrootcert === 'system';
  const ca = isSystem ? undefined : readTlsFile('sslrootcert', url, baseDirectory);
  const cert = readTlsFile('sslcert', url, baseDirectory);
  const key = readTlsFile('sslkey', url, baseDirectory);
  return {
    rejectUnauthorized: mode === 'verify-ca' || mode === 'verify-full',
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}
