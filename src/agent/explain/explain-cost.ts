import type { TurnDesk } from '../open-turn-desk.ts';
import { type Served, type ServedTurn, said } from '../served.ts';
import { tablesOfSql } from '../tables-of-sql.ts';
import { lastSqlOf } from '../talk-state.ts';
import { explainByModel } from './explain-by-model.ts';

/** What makes a query slow or fast, as far as the catalog tells: how much it reads, and which filters would save reading. */
export async function explainCost(
  given: string | undefined,
  asked: ServedTurn,
  desk: TurnDesk,
): Promise<Served> {
  const { talk } = asked;
  const { session, mind } = desk;
  const sql = given ?? lastSqlOf(talk);
  if (sql === undefined)
    return said('There is no query to look at yet. Ask a question first, or paste a query.', talk);
  const read = new Set(tablesOfSql(sql, session.catalog));
  const lines = session.catalog.tables
    .filter(({ id }) => read.has(id))
    .map(({ name, rowCount, estimatedRows, partitionKey = [], primaryKey }) => {
      const rows = Math.max(rowCount, estimatedRows ?? 0);
      const size = rows === 0 ? 'rows not counted' : `${rows.toLocaleString('en')} rows`;
      const saving =
        partitionKey.length === 0 ? '' : `; a condition on ${partitionKey.join(', ')} saves reading`;
      return `${name}: ${size}${primaryKey.length === 0 ? '' : `, key ${primaryKey.join(', ')}`}${saving}.`;
    });
  const next = given === undefined ? talk : { ...talk, mended: sql };
  if (mind !== undefined)
    return explainByModel({ ...asked, talk: next }, desk, { known: lines, ids: [...read] });
  const head = 'It was not measured, and no rule rewrites a query to be faster. What it reads:';
  return said([head, ...lines].join('\n'), next, ['Explain this query', 'Top 10 only']);
}
