import type { ServerDescription } from '../interface/database.ts';
import type { ReadCatalogRows } from './reading-transaction.ts';

const READ_ONLY_BY =
  'a READ ONLY transaction for each statement, rolled back; one statement in the extended protocol; default_transaction_read_only';

const ACCOUNT = `
  SELECT current_setting('server_version'), current_user,
    (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user),
    has_database_privilege(current_database(), 'CREATE')`;

/** Memberships that reach beyond the data: files and programs of the server, other sessions, all tables. */
const ROLES = `
  SELECT rolname FROM pg_catalog.pg_roles
  WHERE rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program',
    'pg_write_all_data', 'pg_signal_backend', 'pg_maintain', 'pg_checkpoint', 'pg_create_subscription')
    AND pg_has_role(current_user, oid, 'MEMBER')
  ORDER BY rolname`;

const SCHEMAS = `
  SELECT nspname FROM pg_catalog.pg_namespace
  WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND has_schema_privilege(oid, 'CREATE')
  ORDER BY nspname`;

/** How many tables each right reaches; a name or two says where to look. */
const TABLES = `
  SELECT p.right_name, count(*), min(n.nspname || '.' || c.relname)
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS p(right_name)
  WHERE c.relkind IN ('r', 'p', 'f', 'v') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND c.relpersistence <> 't' AND has_table_privilege(c.oid, p.right_name)
  GROUP BY p.right_name ORDER BY p.right_name`;

/** The server's version, the account, and the rights it has beyond reading. */
export async function describePostgres(read: ReadCatalogRows): Promise<ServerDescription> {
  let product = 'PostgreSQL';
  let user = '';
  const excessRights: string[] = [];
  await read(ACCOUNT, ([version, name, isSuper, mayCreate]) => {
    product = `PostgreSQL ${String(version).replace(/ .*/, '')}`;
    user = String(name);
    if (isSuper === true) excessRights.push('superuser: may do everything, also to files of the server');
    if (mayCreate === true) excessRights.push('CREATE in the database: may add schemas');
  });
  await read(ROLES, ([role]) => excessRights.push(`member of ${role}`));
  await read(SCHEMAS, ([schema]) => excessRights.push(`CREATE in the schema ${schema}`));
  await read(TABLES, ([right, count, example]) => {
    excessRights.push(`${right} on ${count} ${count === 1 ? 'table' : 'tables'} (${example})`);
  });
  return { product, user, readOnlyBy: READ_ONLY_BY, excessRights };
}
