/** From a MySQL or MariaDB URL to the driver's settings. The words of TLS are those of the `mysql` client. */
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'mysql2';
import {
  invalidUrl,
  parseServerUrl,
  readNumberOption,
  readTlsFile,
  type ServerUrl,
} from '../server/server-url.ts';

const RULES = {
  defaultPort: 3306,
  options: ['ssl-mode', 'ssl-ca', 'ssl-cert', 'ssl-key', 'connect_timeout', 'socket', 'pool'],
};
const SSL_MODES = ['disabled', 'preferred', 'required', 'verify-ca', 'verify-identity'] as const;
type SslMode = (typeof SSL_MODES)[number];
const CONNECT_TIMEOUT_S = 10;
const POOL_SIZE = 4;
const KEEP_ALIVE_AFTER_MS = 30_000;

export interface MysqlConfig {
  readonly url: ServerUrl;
  readonly poolSize: number;
  /** Try again without TLS when the server offers none. */
  readonly mayDropTls: boolean;
  readonly connection: ConnectionOptions;
}

/**
 * `ssl-mode` means what it means to the `mysql` client; absent it is `preferred`: TLS where the server has it,
 * without checking who it is. `verify-identity` is the mode for a network that is not trusted. Throws
 * `database.invalid-url` or `database.tls-failed`.
 */
export function readMysqlConfig(text: string, baseDirectory: string): MysqlConfig {
  const url = parseServerUrl(text, RULES);
  if (url.database === '') throw invalidUrl('it names no database: write it after the host, as …/shop');
  const mode = readSslMode(url);
  const { socket } = url.options;
  const timeoutS = readNumberOption(url, 'connect_timeout', {
    least: 1,
    most: 600,
    absent: CONNECT_TIMEOUT_S,
  });
  return {
    url,
    poolSize: readNumberOption(url, 'pool', { least: 1, most: 100, absent: POOL_SIZE }),
    mayDropTls: mode === 'preferred',
    connection: {
      ...(socket === undefined ? { host: url.host, port: url.port } : { socketPath: socket }),
      user: url.user,
      password: url.password,
      database: url.database,
      ...readSsl(mode, url, baseDirectory),
      charset: 'utf8mb4_general_ci',
      connectTimeout: timeoutS * 1000,
      enableKeepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS,
      // A server could ask for any file of this machine; and the names of functions are ours to read.
      flags: ['-LOCAL_FILES', '-IGNORE_SPACE'],
      multipleStatements: false,
      rowsAsArray: true,
      // Exact values: the driver would make dates, floats and parsed JSON of them.
      supportBigNumbers: true,
      dateStrings: true,
      jsonStrings: true,
      connectAttributes: { program_name: 'candor' },
    },
  };
}

function readSslMode({ host, options }: ServerUrl): SslMode {
  // A unix socket does not leave the machine.
  if (options.socket !== undefined) return 'disabled';
  const text = (options['ssl-mode'] ?? 'preferred').toLowerCase().replaceAll('_', '-');
  const mode = SSL_MODES.find((known) => known === text);
  if (mode === undefined) throw invalidUrl(`ssl-mode must be one of ${SSL_MODES.join(', ')}`);
  // The driver would compare the certificate with `localhost` instead.
  if (mode === 'verify-identity' && isIP(host) !== 0) {
    throw invalidUrl('ssl-mode=verify-identity needs the name of the host, not its address');
  }
  return mode;
}

function readSsl(mode: SslMode, url: ServerUrl, baseDirectory: string): Pick<ConnectionOptions, 'ssl'> {
  if (mode === 'disabled') return {};
  const ca = readTlsFile('ssl-ca', url, baseDirectory);
  const cert = readTlsFile('ssl-cert', url, baseDirectory);
  const key = readTlsFile('ssl-key', url, baseDirectory);
  return {
    ssl: {
      rejectUnauthorized: mode === 'verify-ca' || mode === 'verify-identity',
      verifyIdentity: mode === 'verify-identity',
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    },
  };
}
