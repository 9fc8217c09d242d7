import { repliesToTables } from '../turn/quick-replies.ts';
import { tableCards } from '../turn/table-cards.ts';
import { afterTables } from '../turn/talk-state.ts';
import type { Talk } from '../turn/turn.ts';
import type { TurnContext } from '../turn/turn-context.ts';
import { type Served, said } from '../turn/turn-context.ts';

const MOST = 7;

/** What tables hold: their cards, and how many rows, by which key, joined with what. */
export async function explainTables(
  ids: readonly string[],
  talk: Talk,
  turnContext: TurnContext,
): Promise<Served> {
  const { session } = turnContext;
  const base = await session.base.open();
  const cards = tableCards(
    ids.slice(0, MOST).map((id) => ({ id, because: [] })),
    session,
    base,
  );
  if (cards.length === 0)
    return said('No tables were shown yet. Name one, or ask which tables there are.', talk, [
      'What tables are there?',
    ]);
  const lines = cards.map(({ id, name, description, joinedWith }) => {
    const table = session.catalog.tables.find((one) => one.id === id);
    const rows =
      table === undefined || table.rowCount === 0 ? '' : `; ${table.rowCount.toLocaleString('en')} rows`;
    const key = (table?.primaryKey ?? [])
      .map((column) => column.slice(column.lastIndexOf('.') + 1))
      .join(', ');
    const joined = joinedWith.length === 0 ? '' : `; goes with ${joinedWith.join(', ')}`;
    return `${name}: ${description ?? `${table?.columns.length ?? 0} columns, not described`}${rows}${key === '' ? '' : `; key ${key}`}${joined}.`;
  });
  return {
    cards: [
      { kind: 'text', text: lines.join('\n') },
      { kind: 'tables', tables: cards, isChoice: false },
    ],
    quickReplies: repliesToTables(cards).filter((reply) => cards.length > 1 || !reply.startsWith('Describe')),
    talk: afterTables(
      talk,
      cards.map(({ id }) => id),
    ),
    line: lines.join(' '),
  };
}
