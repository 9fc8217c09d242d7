import { startPostgres } from '../servers/start-postgres.ts';
import { READER } from '../servers/started-server.ts';
import { survivesFaults } from './server-faults.ts';

survivesFaults({
  kind: 'postgres',
  start: startPostgres,
  scheme: 'postgres',
  endless: 'SELECT COUNT(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b',
  endConnections: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${READER.user}'`,
  running: `SELECT COUNT(*) AS n FROM pg_stat_activity WHERE usename = '${READER.user}' AND state = 'active'`,
  lock: 'BEGIN; LOCK TABLE locked IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(3); COMMIT',
  tls: {
    off: 'sslmode=disable',
    needed: 'sslmode=require',
    checked: 'sslmode=verify-full',
    authority: 'sslrootcert',
  },
  tlsSettings: { ssl: 'on', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key' },
  isEncrypted: {
    sql: 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    yes: true,
  },
  otherName: 'database.tls-failed',
  forbidden: 'pg_authid',
  few: { max_connections: '6' },
});
