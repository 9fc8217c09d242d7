import { factText } from '../../knowledge/index.ts';
import type { TurnDesk } from '../open-turn-desk.ts';
import { type Served, type ServedTurn, said } from '../served.ts';
import { tablesOfSql } from '../tables-of-sql.ts';
import { lastSqlOf } from '../talk-state.ts';
import { sqlInWords } from './sql-in-words.ts';

const MOST_ABOUT = 20;

/** What a query computes: how its question was understood, in a model's words where there is one, clause by clause. */
export async function explainQuery(
  given: string | undefined,
  { talk }: ServedTurn,
  desk: TurnDesk,
): Promise<Served> {
  const { session, mind, signal } = desk;
  const sql = given ?? lastSqlOf(talk);
  if (sql === undefined)
    return said('There is no query to explain yet. Ask a question first, or paste a query.', talk);
  const { dialect } = session.catalog;
  const lines = sqlInWords(sql, dialect);
  if (lines === undefined)
    return said(
      `This is no query that ${dialect} would read, so there is nothing to explain. “Fix it” looks for what is wrong.`,
      {
        ...talk,
        mended: sql,
      },
      ['Fix it'],
    );
  const { lastQuery } = talk;
  const understood = lastQuery?.sql === sql ? lastQuery.explanation : undefined;
  const tables = tablesOfSql(sql, session.catalog);
  const known = [...(understood === undefined ? [] : [`${understood}.`]), ...lines];
  if (mind !== undefined) {
    desk.tell({ kind: 'stage', stage: 'describe query' });
    const { graph } = await session.base.open();
    const about = tables.flatMap((id) =>
      (graph.table(id)?.descriptions ?? []).slice(0, 1).map((fact) => `${id}: ${factText(fact)}`),
    );
    const { summary, grain } = await mind.assistant.describeQuery({
      sql,
      dialect,
      about: about.slice(0, MOST_ABOUT),
      ledger: mind.ledger,
      ...(signal && { signal }),
    });
    known.unshift(`${summary.replace(/[.\s]+$/, '')}${grain === '' ? '' : `; ${grain}`}.`);
  }
  const text = known.join('\n');
  const next = given === undefined ? talk : { ...talk, mended: sql };
  return {
    cards: [{ kind: 'text', text }],
    quickReplies: tables.length > 0 ? ['Explain these tables'] : [],
    // The numbers of a choice are those of its tables.
    talk: tables.length > 0 && talk.choosing === undefined ? { ...next, tables } : next,
    line: known[0] ?? '',
  };
}
