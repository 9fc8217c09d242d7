import type { ReadCatalogRows } from './mysql-connection.ts';

/** 60 bits of a hash as a number: sums of them need neither order nor memory. */
const HASH = (...parts: string[]): string =>
  `CAST(CONV(LEFT(MD5(CONCAT_WS('|', ${parts.join(', ')})), 15), 16, 10) AS UNSIGNED)`;

const STAMP = `
  SELECT COUNT(*), COALESCE(SUM(hash), 0) FROM (
    SELECT ${HASH("'t'", 'TABLE_NAME', 'TABLE_TYPE', "COALESCE(ENGINE, '')", "COALESCE(IF(TABLE_TYPE = 'VIEW', '', TABLE_COMMENT), '')")} AS hash
    FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()
    UNION ALL
    SELECT ${HASH("'c'", 'TABLE_NAME', 'ORDINAL_POSITION', 'COLUMN_NAME', 'COLUMN_TYPE', 'IS_NULLABLE', 'COLUMN_COMMENT', 'PRIVILEGES')}
    FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()
    UNION ALL
    SELECT ${HASH("'k'", 'TABLE_NAME', 'CONSTRAINT_NAME', 'ORDINAL_POSITION', 'COLUMN_NAME', "COALESCE(REFERENCED_TABLE_NAME, '')", "COALESCE(REFERENCED_COLUMN_NAME, '')")}
    FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = DATABASE()
    UNION ALL
    SELECT ${HASH("'v'", 'TABLE_NAME', 'VIEW_DEFINITION')}
    FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE()) parts`;

/** Changes with the schema that the user can read: tables, columns, types, keys, comments, rights, views. */
export async function stampMysql(read: ReadCatalogRows): Promise<string> {
  let stamp = '';
  await read(STAMP, ([count, sum]) => {
    stamp = `${count}-${sum}`;
  });
  return stamp;
}
