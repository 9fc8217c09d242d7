import { startMariadb } from '../servers/start-mariadb.ts';
import { READER } from '../servers/started-server.ts';
import { survivesFaults } from './server-faults.ts';

survivesFaults({
  kind: 'mariadb',
  start: startMariadb,
  scheme: 'mysql',
  endless: `SELECT COUNT(*) FROM seq_1_to_100000 a, seq_1_to_100000 b WHERE a.seq + b.seq < 1`,
  endConnections: `KILL USER ${READER.user}`,
  running: `SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE user = '${READER.user}' AND command <> 'Sleep'`,
  lock: 'LOCK TABLES locked WRITE; DO SLEEP(3); UNLOCK TABLES',
  tls: {
    off: 'ssl-mode=disabled',
    needed: 'ssl-mode=required',
    checked: 'ssl-mode=verify-identity',
    authority: 'ssl-ca',
  },
  tlsSettings: { ssl_cert: '{folder}/server.crt', ssl_key: '{folder}/server.key' },
  isEncrypted: {
    sql: `SELECT VARIABLE_VALUE <> '' FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_cipher'`,
    yes: 1,
  },
  // The driver cannot check an address, so it is not asked to.
  otherName: 'database.invalid-url',
  forbidden: 'mysql.global_priv',
  few: { max_connections: '10' },
});
