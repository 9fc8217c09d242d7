import type { DialectName } from '../dialects/dialect.ts';
import { BIGQUERY_READING } from '../functions/bigquery.ts';
import { DUCKDB_READING } from '../functions/duckdb.ts';
import { MYSQL_READING } from '../functions/mysql.ts';
import { POSTGRES_READING } from '../functions/postgres.ts';
import type { ReadingRules } from '../functions/reading-rules.ts';
import { SNOWFLAKE_READING } from '../functions/snowflake.ts';
import { SQLITE_READING } from '../functions/sqlite.ts';
import { TRINO_READING } from '../functions/trino.ts';

/** What a reading statement may call and read in each dialect. */
export const READING: Readonly<Record<DialectName, ReadingRules>> = {
  sqlite: SQLITE_READING,
  duckdb: DUCKDB_READING,
  postgres: POSTGRES_READING,
  mysql: MYSQL_READING,
  trino: TRINO_READING,
  snowflake: SNOWFLAKE_READING,
  bigquery: BIGQUERY_READING,
};
