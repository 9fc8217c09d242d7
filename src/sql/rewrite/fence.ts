import type { DialectName } from '../dialect.ts';

/**
 * What ends a query so that the engine finishes it before it looks at any condition around it. Without, an engine is
 * free to try `CAST(name AS INTEGER)` of the question on a row that the row filter would have taken out, and the error
 * shows that row's name. None of these changes a row; each keeps the engine from using an index for the conditions
 * outside, which is the price. Checked by running: PostgreSQL 15, MariaDB 10.11, DuckDB 1.5, SQLite 3.53.
 */
export const FENCES: Readonly<Record<DialectName, string | undefined>> = {
  sqlite: 'LIMIT -1',
  duckdb: 'LIMIT 9223372036854775807',
  postgres: 'OFFSET 0',
  mysql: 'LIMIT 18446744073709551615',
  // A limit brings all rows to one machine there, and none is documented to hold conditions back.
  trino: undefined,
  snowflake: undefined,
  bigquery: undefined,
};
