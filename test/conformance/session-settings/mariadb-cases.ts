import type { HostileCase } from './hostile-case.ts';

export const MARIADB_TABLES = `
  CREATE TABLE made (id int AUTO_INCREMENT PRIMARY KEY, body text);
  INSERT INTO made (body) VALUES ('b'), ('a');
  CREATE TABLE padded (c char(5)); INSERT INTO padded VALUES ('a');
  CREATE TABLE versioned (a int) WITH SYSTEM VERSIONING; INSERT INTO versioned VALUES (1);
  CREATE TABLE \`long\` (body text);
  INSERT INTO \`long\` VALUES (CONCAT(REPEAT('x', 100), 'b')), (CONCAT(REPEAT('x', 100), 'a'));`;

const sql_mode = (hostile: string, sql: string): HostileCase => ({
  setting: 'sql_mode',
  hostile: `'${hostile}'`,
  sql,
});

export const MARIADB_CASES: readonly HostileCase[] = [
  sql_mode('ANSI_QUOTES', 'SELECT "id" FROM made'),
  sql_mode('PIPES_AS_CONCAT', 'SELECT 1 || 0'),
  sql_mode('NO_BACKSLASH_ESCAPES', `SELECT 'a\\nb'`),
  sql_mode('HIGH_NOT_PRECEDENCE', 'SELECT NOT 1 BETWEEN -5 AND 5'),
  sql_mode('PAD_CHAR_TO_FULL_LENGTH', 'SELECT LENGTH(c) FROM padded'),
  sql_mode('NO_UNSIGNED_SUBTRACTION', 'SELECT CAST(0 AS UNSIGNED) - 1'),
  sql_mode('EMPTY_STRING_IS_NULL', `SELECT '' IS NULL`),
  sql_mode('TIME_ROUND_FRACTIONAL', `SELECT CAST('2024-12-31 23:59:59.9' AS DATETIME)`),
  sql_mode('ONLY_FULL_GROUP_BY', 'SELECT id, body, COUNT(*) FROM made GROUP BY id'),
  sql_mode('ORACLE', `SELECT LENGTH(SUBSTR('abc', 0, 2))`),
  {
    setting: 'old_mode',
    hostile: `'ZERO_DATE_TIME_CAST'`,
    sql: `SELECT CAST(TIME '10:20:30' AS DATETIME) < '1000-01-01'`,
  },
  {
    setting: 'collation_connection',
    hostile: `'utf8mb4_bin'`,
    // A driver names an encoding when it connects, and with it a collation; what the server runs then comes after it.
    change: `init_connect = 'SET collation_connection = utf8mb4_bin'`,
    back: 'init_connect = DEFAULT',
    sql: `SELECT 'a' = 'A'`,
  },
  { setting: 'time_zone', hostile: `'+09:00'`, sql: 'SELECT FROM_UNIXTIME(0)' },
  { setting: 'lc_time_names', hostile: `'de_DE'`, sql: `SELECT DATE_FORMAT('2024-03-01', '%M')` },
  { setting: 'default_week_format', hostile: '3', sql: `SELECT WEEK('2024-01-01')` },
  { setting: 'sql_auto_is_null', hostile: '1', sql: 'SELECT @@sql_auto_is_null' },
  { setting: 'div_precision_increment', hostile: '0', sql: 'SELECT 1 / 3' },
  { setting: 'group_concat_max_len', hostile: '4', sql: `SELECT GROUP_CONCAT(body, 'xyz') FROM made` },
  { setting: 'max_sort_length', hostile: '64', sql: 'SELECT body FROM `long` ORDER BY body' },
  { setting: 'max_error_count', hostile: '0', sql: 'SELECT @@max_error_count' },
  {
    setting: 'max_recursive_iterations',
    hostile: '10',
    sql: 'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1827) SELECT COUNT(*) FROM n',
  },
  { setting: 'standard_compliant_cte', hostile: '0', sql: 'SELECT @@standard_compliant_cte' },
  { setting: 'default_regex_flags', hostile: `'DOTALL'`, sql: `SELECT 'a\\nb' REGEXP 'a.b'` },
  { setting: 'system_versioning_asof', hostile: `'2000-01-01 00:00:00'`, sql: 'SELECT a FROM versioned' },
  {
    setting: 'ISOLATION LEVEL',
    hostile: 'READ UNCOMMITTED',
    change: 'TRANSACTION ISOLATION LEVEL READ UNCOMMITTED',
    back: 'TRANSACTION ISOLATION LEVEL REPEATABLE READ',
    sql: 'SELECT @@tx_isolation',
  },
];
