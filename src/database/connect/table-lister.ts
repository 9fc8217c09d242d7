/** The tables of an engine without reading them all: told apart by stamps that the engine computes itself. */
import { CandorError } from '../../errors.ts';
import type { Database } from '../interface/database.ts';
import type { ReadRows, TableLister } from '../interface/listed-tables.ts';
import { postgresTables } from '../postgres/postgres-tables.ts';
import { trinoTables } from '../trino/trino-tables.ts';

/** Of one schema: a million names and stamps are some 100 MB. */
const LIMITS = { rows: 2_000_000, bytes: 1_000_000_000, timeoutMs: 300_000 };

/** Undefined for engines whose whole schema is read at once. The database is not one that is guarded for callers. */
export function tableLister(database: Database): TableLister | undefined {
  const read: ReadRows = async (sql, signal) => {
    const { rows, truncatedBy } = await database.query(sql, LIMITS, signal);
    if (truncatedBy === null) return rows;
    throw new CandorError('database.bad-answer', `a schema of ${database.name} has too many tables to list`);
  };
  if (database.dialect === 'postgres') return postgresTables(read);
  if (database.dialect === 'trino') return trinoTables(read, database.url);
  return undefined;
}
