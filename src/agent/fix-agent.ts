import { type Fix, fixQuery } from '../answering/index.ts';
import { mendWithModel } from '../answering/review/index.ts';
import { sqlInText } from './routing/sql-in-text.ts';
import { afterFix, lastSqlOf, tablesOfSql } from './turn/talk-state.ts';
import type { Talk, Turn } from './turn/turn.ts';
import type { TurnContext } from './turn/turn-context.ts';
import { type Served, type ServedTurn, said } from './turn/turn-context.ts';

/** What is wrong with a query, and one that works; nothing is run. A model mends what rules cannot, where there is one. */
export async function fixAgent({ turn, talk }: ServedTurn, turnContext: TurnContext): Promise<Served> {
  const { session, signal, tell } = turnContext;
  const broken = brokenQueryOf(turn, talk);
  if (broken === undefined)
    return said('Which query is to be fixed? Paste its SQL, with what the engine says against it.', talk);
  tell({ kind: 'stage', stage: 'fix' });
  const fix = await fixQuery(broken.sql, session, {
    engineError: broken.error,
    question: broken.question,
    mend: mendWithModel(session, signal),
    signal,
  });
  const sql = fix.repaired ?? fix.sql;
  // What follows a query of their own goes on from that, and no longer from what was asked before.
  const before = broken.question === undefined ? { ...talk, after: [] } : talk;
  const isKnown = fix.ok || fix.repaired !== undefined;
  return {
    cards: [{ kind: 'fix', fix }],
    quickReplies: fix.ok ? ['Explain this query'] : ['What tables are there?'],
    talk: afterFix(before, sql, isKnown ? tablesOfSql(sql, session.catalog) : talk.tables),
    line:
      fix.problems.length === 0
        ? 'nothing was wrong with the query'
        : `${fix.problems.map(({ text }) => text).join('; ')}${cameOf(fix)}`,
  };
}

/** What later turns are told of it. */
function cameOf({ ok, offers = [] }: Fix): string {
  if (ok) return '; it was mended';
  return offers.length === 0 ? '' : `; it may mean: ${offers.map(({ means }) => means).join(', or ')}`;
}

interface BrokenQuery {
  readonly sql: string;
  readonly error?: string;
  /** What it should answer. */
  readonly question?: string;
}

/** Given beside the text, in it, or the last one that was shown. */
function brokenQueryOf({ text, failed }: Turn, talk: Talk): BrokenQuery | undefined {
  if (failed !== undefined) return { ...failed, ...meantBy(failed.sql, talk) };
  const given = sqlInText(text.trim());
  if (given !== undefined)
    return {
      sql: given.sql,
      ...(given.error !== undefined && { error: given.error }),
      ...wantedBy(given.words),
      ...meantBy(given.sql, talk),
    };
  const sql = lastSqlOf(talk);
  if (sql === undefined) return undefined;
  const error =
    /\berror\b\s*:?\s+(.+)$/i.exec(text)?.[1] ??
    /\b(no such .+|unknown column .+|.+ does not exist)$/i.exec(text)?.[1];
  return { sql, ...(error !== undefined && { error }), ...meantBy(sql, talk) };
}

/** What a person says around a query tells what it is for, where it says more than that it does not work. */
function wantedBy(words: string): { readonly question?: string } {
  return words.split(/\s+/).length >= TELLING_WORDS ? { question: words } : {};
}

const TELLING_WORDS = 5;

function meantBy(sql: string, { lastQuery }: Talk): { readonly question?: string } {
  return lastQuery !== undefined && lastQuery.sql === sql ? { question: lastQuery.question } : {};
}
