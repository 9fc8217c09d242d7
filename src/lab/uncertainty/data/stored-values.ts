/** All values of the columns of a database with rows, as far as a column has not too many. */
import { connect, guarded } from '../../../database/index.ts';
import type { SampledValues } from '../../../faults/index.ts';
import { DIALECTS, quoteName } from '../../../sql/index.ts';
import type { LinkDatabase } from '../../linking/index.ts';

const MOST_VALUES = 5_000;
const LIMITS = { rows: MOST_VALUES + 1, bytes: 20_000_000, timeoutMs: 60_000 };

/** By column id; undefined where the set has no rows. Columns with more values are left out. */
export async function readStoredValues(
  { catalog, databaseUrl }: LinkDatabase,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, SampledValues> | undefined> {
  if (databaseUrl === undefined) return undefined;
  const database = guarded(await connect(databaseUrl), { kind: 'own-queries' });
  const values = new Map<string, SampledValues>();
  try {
    for (const table of catalog.tables) {
      // SQLite's own tables stand in some schemas of Spider; the guard refuses to read them.
      if (table.name.toLowerCase().startsWith('sqlite_')) continue;
      for (const column of table.columns) {
        const name = quoteName(column.name, DIALECTS[catalog.dialect]);
        const sql = `SELECT DISTINCT ${name} FROM ${quoteName(table.name, DIALECTS[catalog.dialect])} LIMIT ${LIMITS.rows}`;
        const { rows } = await database.query(sql, LIMITS, signal);
        if (rows.length > MOST_VALUES) continue;
        const exact = new Set(rows.flatMap(([cell]) => (cell === null ? [] : [String(cell)])));
        const folded = new Set([...exact].map((value) => value.trim().toLowerCase()));
        values.set(column.id, { exact, folded, isComplete: true });
      }
    }
  } finally {
    await database.close();
  }
  return values;
}
