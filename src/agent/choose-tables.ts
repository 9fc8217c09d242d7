import { linkingOf, linkQuestion, resolveTableScope } from '../answering/index.ts';
import { hypothesise } from '../reasoning/index.ts';
import type { TurnDesk } from './open-turn-desk.ts';
import { repliesToChoice } from './quick-replies.ts';
import { type Served, said } from './served.ts';
import { type ShownTable, tableCards } from './table-cards.ts';
import { tablesOfSql } from './tables-of-sql.ts';
import { afterOffer } from './talk-state.ts';
import type { Talk } from './turn.ts';

/** Beside the ticked ones, as many as a person looks through. */
const MOST_OFFERED = 8;

/**
 * The tables of a question to choose from, best first: ticked what it is linked to and what its likeliest reading reads,
 * then others that fit. No model is called for it. Source: LinkedIn, section 6 (guided mode).
 */
export async function chooseTables(question: string, talk: Talk, desk: TurnDesk): Promise<Served> {
  const { now, signal, tell } = desk;
  tell({ kind: 'stage', stage: 'link schema' });
  const { session } = await resolveTableScope(question, desk.session, {});
  const {
    linked,
    retrieved,
    question: asked,
  } = await linkQuestion(question, await linkingOf(session), {
    ...(signal && { signal }),
  });
  if (linked === null || retrieved === null)
    return said(`There is nothing to choose tables for: ${asked.because}`, talk);
  const because = new Map<string, readonly string[]>();
  const relevant = linked.items.filter(({ kind, tier }) => kind === 'table' && tier === 'relevant');
  for (const { id, because: why } of relevant.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0)))
    because.set(
      id,
      why.map(({ text }) => text),
    );
  const [reading] = hypothesise(asked.question, session.knowledge, now).readings;
  for (const id of reading === undefined ? [] : tablesOfSql(reading.sql, session.catalog))
    if (!because.has(id)) because.set(id, ['the question is read over it']);
  const ticked: readonly ShownTable[] = [...because].map(([id, why]) => ({
    id,
    because: why,
    isTicked: true,
  }));
  const others: readonly ShownTable[] = retrieved.tables
    .filter(({ item, because: why }) => !because.has(item.tableId) && !item.isDeprecated && why.length > 0)
    .map(({ item, because: why }) => ({ id: item.tableId, because: why, isTicked: false }));
  const cards = tableCards([...ticked, ...others.slice(0, MOST_OFFERED)], session, await session.base.open());
  if (cards.length === 0)
    return said('No table fits this question. Say it in other words, or ask which tables there are.', talk, [
      'What tables are there?',
    ]);
  const ids = cards.map(({ id }) => id);
  return {
    cards: [{ kind: 'tables', tables: cards, isChoice: true }],
    quickReplies: repliesToChoice(cards),
    talk: afterOffer(
      talk,
      question,
      ids,
      cards.filter(({ isTicked }) => isTicked).map(({ id }) => id),
    ),
    line: `tables to choose from: ${ids.join(', ')}`,
  };
}
