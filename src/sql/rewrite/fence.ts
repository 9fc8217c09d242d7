import type { DialectName } from '../dialect.ts';

export interface Fenced {
  /** The query that shows what may be seen. */
  readonly shown: string;
  /** The same query without its condition. */
  readonly all: string;
  /** What it shows, in quotes. */
  readonly columns: readonly string[];
}

/**
 * What keeps an engine from telling of rows that a query leaves out. None of these changes a row; each keeps the engine
 * from using an index for the conditions outside, which is the price.
 *
 * The limit makes the engine finish the query before it looks at any condition around it. Without, an engine is free to
 * try `CAST(name AS INTEGER)` of the question on a row that the row filter would have taken out, and the error shows
 * that row's name. The rest hides the statistics of the stored columns, which count all rows: PostgreSQL tries `LIKE`
 * on the commonest values while it plans, and DuckDB leaves out what cannot hold between the smallest and the largest
 * value, its errors included. Checked by running: PostgreSQL 15, MariaDB 10.11, DuckDB 1.5, SQLite 3.53.
 */
export const FENCES: Readonly<Record<DialectName, ((of: Fenced) => string) | undefined>> = {
  sqlite: ({ shown }) => `${shown} LIMIT -1`,
  duckdb: ({ shown, columns }) => {
    // Statistics do not go through TRY, nor through a materialized CTE, which reads all columns though.
    const opaque = columns.map((column) => `TRY("candor shown".${column}) AS ${column}`);
    return `SELECT ${opaque.join(', ')} FROM (${shown} LIMIT 9223372036854775807) AS "candor shown"`;
  },
  // Statistics do not go through a set operation.
  postgres: ({ shown, all }) => `${shown} UNION ALL ${all} WHERE FALSE OFFSET 0`,
  mysql: ({ shown }) => `${shown} LIMIT 18446744073709551615`,
  // A limit brings all rows to one machine there, and none is documented to hold conditions back.
  trino: undefined,
  snowflake: undefined,
  bigquery: undefined,
};
