/** Cases with the gold of their SQL. */
import { goldItems } from '../score/gold-items.ts';
import type { LinkCase, LinkDatabase, LinkSet } from './link-set.ts';

/** A question of a benchmark with its gold SQL. */
export interface GoldQuestion {
  readonly id: string;
  readonly database: string;
  readonly question: string;
  readonly hint: string;
  readonly sql: string;
}

/** The set of the questions whose SQL resolves; the others are named with the reason. */
export function makeSet(
  name: string,
  databases: ReadonlyMap<string, LinkDatabase>,
  questions: readonly GoldQuestion[],
): LinkSet {
  const cases: LinkCase[] = [];
  const leftOut: { id: string; because: string }[] = [];
  const flagged: { id: string; because: string }[] = [];
  for (const { id, database, question, hint, sql } of questions) {
    const known = databases.get(database);
    const gold = known === undefined ? undefined : goldItems(sql, known.catalog);
    if (gold === undefined) leftOut.push({ id, because: `nothing is known of the database ${database}` });
    else if (!gold.ok) leftOut.push({ id, because: gold.because });
    else {
      const items = { goldTables: gold.tables, goldFields: gold.fields };
      cases.push({ id, database, question, hint, goldSql: sql, ...items });
      if (gold.ambiguous.length > 0)
        flagged.push({
          id,
          because: `${gold.ambiguous.join(', ')}: each may be of several tables; all are gold`,
        });
    }
  }
  return { name, databases, cases, leftOut, flagged };
}
