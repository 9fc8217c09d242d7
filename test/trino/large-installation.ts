/** A Trino as large users have it: several catalogs of which one is down, people with passwords, and rights in a file. */
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrinoOptions } from '../../scripts/trino.ts';
import { makeCertificates } from '../conformance/tls-certificates.ts';
import { freePort } from '../servers/server-process.ts';

export const SERVICE = { name: 'candor_service', password: 'pässword: of @ service' };

export interface LargeInstallation {
  readonly options: TrinoOptions;
  /** Where people with passwords are served. */
  readonly httpsPort: number;
  readonly caFile: string;
  remove(): Promise<void>;
}

/** Ann reads everything, Ben what is in `sales`, Eve nobody knows; the service may act for Ann and Ben. */
const RULES = {
  catalogs: [{ user: 'ben', catalog: 'lake', allow: 'none' }, { allow: 'all' }],
  impersonation: [{ original_user: SERVICE.name, new_user: 'ann|ben' }],
  schemas: [{ user: 'owner', owner: true }, { owner: false }],
  tables: [
    { user: 'owner', privileges: ['SELECT', 'GRANT_SELECT', 'INSERT', 'DELETE', 'OWNERSHIP'] },
    // In the list of tables, and not to be read.
    { user: SERVICE.name, table: 'secret', privileges: ['INSERT'] },
    { user: 'ben', catalog: 'memory', schema: 'sales', privileges: ['SELECT'] },
    { user: 'ben', catalog: 'memory|lake|tpch', privileges: [] },
    { privileges: ['SELECT'] },
  ],
};

/** `folder` of the lake and of the certificates is the caller's to remove, by `remove`. */
export async function makeLargeInstallation(): Promise<LargeInstallation> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-large-trino-'));
  makeCertificates(folder);
  const httpsPort = await freePort();
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const salt = randomBytes(16);
  const hash = pbkdf2Sync(SERVICE.password, salt, 10_000, 64, 'sha1');
  return {
    httpsPort,
    caFile: join(folder, 'ca.crt'),
    remove: () => rm(folder, { recursive: true, force: true }),
    options: {
      plugins: ['iceberg', 'mariadb', 'password-authenticators'],
      catalogs: {
        lake: [
          ...['connector.name=iceberg', 'iceberg.catalog.type=TESTING_FILE_METASTORE'],
          ...['hive.metastore.catalog.dir=local:///meta', 'fs.native-local.enabled=true'],
          `local.location=${folder}`,
        ],
        // Nobody listens on port 1.
        down: [
          ...['connector.name=mariadb', 'connection-url=jdbc:mariadb://127.0.0.1:1'],
          ...['connection-user=x', 'connection-password=x'],
        ],
      },
      config: [
        ...['http-server.authentication.type=PASSWORD', 'http-server.https.enabled=true'],
        ...[`http-server.https.port=${httpsPort}`, 'http-server.https.keystore.path={etc}/server.pem'],
        'http-server.authentication.allow-insecure-over-http=true',
        'internal-communication.shared-secret=of this server alone',
        // How long a query of a client that has gone goes on.
        'query.client.timeout=5s',
      ],
      files: {
        'server.pem': `${read('server.key')}\n${read('server.crt')}`,
        'password-authenticator.properties':
          'password-authenticator.name=file\nfile.password-file={etc}/password.db',
        'password.db': `${SERVICE.name}:10000:${salt.toString('hex')}:${hash.toString('hex')}`,
        'access-control.properties': 'access-control.name=file\nsecurity.config-file={etc}/rules.json',
        'rules.json': JSON.stringify(RULES),
      },
    },
  };
}
