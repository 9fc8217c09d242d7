/** Databases on the servers of the run, made for the conformance suite. */
import { mariadbServer, postgresServer } from '../servers/server-of-run.ts';
import type { TestDatabase } from '../servers/test-server.ts';
import type { MadeDatabase } from './database.ts';

/** Rows of every table, definitions, sequences, large objects, roles, settings and held advisory locks. */
const POSTGRES_STATE = `
  SELECT concat_ws('|',
    (SELECT string_agg(concat_ws(',', c.oid, c.relname, c.relkind, c.relacl, c.relnamespace,
        CASE WHEN c.relkind IN ('r', 'm') THEN
          query_to_xml(format('SELECT * FROM %I.%I t ORDER BY t::text', n.nspname, c.relname), true, false, '')
        WHEN c.relkind = 'S' THEN
          query_to_xml(format('SELECT * FROM %I.%I', n.nspname, c.relname), true, false, '') END),
        ';' ORDER BY c.oid)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')),
    (SELECT string_agg(concat_ws(',', attrelid, attname, atttypid), ';' ORDER BY attrelid, attnum)
      FROM pg_attribute WHERE attrelid >= 16384),
    (SELECT string_agg(oid || prosrc, ';' ORDER BY oid) FROM pg_proc WHERE oid >= 16384),
    (SELECT string_agg(rolname || rolsuper, ';' ORDER BY oid) FROM pg_roles),
    (SELECT string_agg(setdatabase || setconfig::text, ';' ORDER BY setdatabase, setrole) FROM pg_db_role_setting),
    (SELECT string_agg(nspname, ';' ORDER BY oid) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp'),
    (SELECT count(*) FROM pg_largeobject_metadata),
    (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')) AS state`;

/** A fresh PostgreSQL database; the suite connects as the superuser, so that nothing but the session holds it back. */
export async function makePostgres(statements: readonly string[]): Promise<MadeDatabase> {
  const server = await postgresServer();
  const database = await server.createDatabase('shop');
  return made(database, statements, async () => String((await database.run(POSTGRES_STATE))[0]?.state));
}

/** A fresh MariaDB database; the suite connects as an account that may do everything. */
export async function makeMariadb(statements: readonly string[]): Promise<MadeDatabase> {
  const server = await mariadbServer();
  const database = await server.createDatabase('shop');
  const literal = `'${database.name}'`;
  return made(database, statements, async () => {
    const tables = await database.run(
      `SELECT TABLE_NAME AS name, TABLE_TYPE AS type, CREATE_TIME AS made FROM information_schema.TABLES
       WHERE TABLE_SCHEMA = ${literal} ORDER BY 1`,
    );
    const real = tables.filter(({ type }) => type !== 'VIEW').map(({ name }) => `\`${name}\``);
    const rows = real.length === 0 ? [] : await database.run(`CHECKSUM TABLE ${real.join(', ')}`);
    const others = await database.run(
      `SELECT
        (SELECT GROUP_CONCAT(ROUTINE_NAME, ROUTINE_DEFINITION) FROM information_schema.ROUTINES
          WHERE ROUTINE_SCHEMA = ${literal}) AS routines,
        (SELECT GROUP_CONCAT(COLUMN_NAME, COLUMN_TYPE, COLUMN_COMMENT) FROM information_schema.COLUMNS
          WHERE TABLE_SCHEMA = ${literal}) AS columns_made,
        (SELECT GROUP_CONCAT(TABLE_NAME, INDEX_NAME) FROM information_schema.STATISTICS
          WHERE TABLE_SCHEMA = ${literal}) AS indexes,
        (SELECT GROUP_CONCAT(User, Host) FROM mysql.global_priv) AS users,
        (SELECT COUNT(*) FROM mysql.innodb_table_stats WHERE database_name = ${literal}) AS statistics,
        (SELECT COUNT(*) FROM mysql.table_stats) AS more_statistics,
        IS_FREE_LOCK('conformance') AS is_free, @@GLOBAL.sql_mode AS mode, @@GLOBAL.read_only AS locked`,
    );
    return JSON.stringify({ tables, rows, others });
  });
}

async function made(
  database: TestDatabase,
  statements: readonly string[],
  state: () => Promise<string>,
): Promise<MadeDatabase> {
  const run = async (list: readonly string[]): Promise<void> => {
    for (const statement of list) await database.run(statement);
  };
  await run(statements);
  return {
    url: database.adminUrl,
    shownUrl: database.adminUrl,
    name: database.name,
    run,
    state,
    drop: () => database.drop(),
  };
}
