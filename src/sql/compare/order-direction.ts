/** Which way an ORDER BY term sorts, when it is not the way it would sort anyway. */
import type { DialectName } from '../dialect.ts';
import type { SqlNode } from '../tree/node.ts';

/** Where NULLs go when nothing is said: as the smallest or largest of values, or last either way. */
const NULLS: Readonly<Record<DialectName, 'smallest' | 'largest' | 'last'>> = {
  sqlite: 'smallest',
  mysql: 'smallest',
  bigquery: 'smallest',
  postgres: 'largest',
  snowflake: 'largest',
  duckdb: 'last',
  trino: 'last',
};

/** ` desc`, ` nulls first` and both; empty for the default. */
export function orderDirection({ flags }: SqlNode, dialect: DialectName): string {
  const isDescending = flags.desc !== undefined;
  const first = isDescending ? 'largest' : 'smallest';
  const usual = NULLS[dialect] === first ? 'first' : 'last';
  const nulls = flags.nulls === undefined || flags.nulls === usual ? '' : ` nulls ${flags.nulls}`;
  return `${isDescending ? ' desc' : ''}${nulls}`;
}
