import type { CoreQuery } from '../sql-core/query-set.ts';
import { identicalRows } from './compare-rows.ts';
import { checkLaws } from './print-laws.ts';
import { databaseFile, openSqlite, runSqlite } from './sqlite-database.ts';

export interface PrintRow {
  readonly set: string;
  readonly dialect: string;
  readonly queries: number;
  readonly sameShape: number;
  readonly fixpoint: number;
  /** Queries SQLite ran. */
  readonly executed: number;
  /** Empty where no database is here. */
  readonly sameRows: number | '';
}

export interface MeasureContext {
  readonly dataDirectory: string;
  /** Takes every finding that is no success. */
  readonly write: (finding: unknown) => void;
}

/** Shares of the queries that parse; executed are those whose database is here and that run as written. */
export function measurePrinting(
  set: string,
  queries: readonly CoreQuery[],
  context: MeasureContext,
): PrintRow {
  const findings = queries.map((query) => ({ query, ...checkLaws(query.sql, query.dialect) }));
  const parsed = findings.filter(({ printed }) => printed !== undefined);
  for (const { query, printed, isSameShape, isFixpoint } of parsed) {
    if (!isSameShape || !isFixpoint) context.write({ law: 'shape', id: query.id, sql: query.sql, printed });
  }
  const runs = executeAll(
    parsed.map(({ query, printed = '' }) => ({ query, printed })),
    context,
  );
  const share = (count: number, all: number): number => (all === 0 ? 0 : (100 * count) / all);
  return {
    set,
    dialect: queries[0]?.dialect ?? '',
    queries: parsed.length,
    sameShape: share(parsed.filter(({ isSameShape }) => isSameShape).length, parsed.length),
    fixpoint: share(parsed.filter(({ isFixpoint }) => isFixpoint).length, parsed.length),
    executed: runs.length,
    sameRows: runs.length === 0 ? '' : share(runs.filter((isSame) => isSame).length, runs.length),
  };
}

interface Printed {
  readonly query: CoreQuery;
  readonly printed: string;
}

/** For every query that runs as written, whether the printed text gives the same rows in the same order. */
function executeAll(all: readonly Printed[], { dataDirectory, write }: MeasureContext): readonly boolean[] {
  const runs: boolean[] = [];
  for (const databaseId of new Set(all.map(({ query }) => query.databaseId))) {
    const file = databaseFile(databaseId, dataDirectory);
    if (file === undefined) continue;
    const database = openSqlite(file);
    for (const { query, printed } of all.filter((one) => one.query.databaseId === databaseId)) {
      if (query.dialect !== 'sqlite') continue;
      const wanted = runSqlite(database, query.sql);
      if (!wanted.ok) continue;
      const given = runSqlite(database, printed);
      const isSame = given.ok && identicalRows(wanted.rows, given.rows);
      if (!isSame)
        write({
          law: 'rows',
          id: query.id,
          sql: query.sql,
          printed,
          error: given.ok ? undefined : given.error,
        });
      runs.push(isSame);
    }
    database.close();
  }
  return runs;
}
