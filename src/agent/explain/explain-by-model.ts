import type { TurnDesk } from '../open-turn-desk.ts';
import { repliesToTables } from '../quick-replies.ts';
import type { Served, ServedTurn } from '../served.ts';
import { tableCards } from '../table-cards.ts';
import { afterTables, lastSqlOf } from '../talk-state.ts';
import type { Talk } from '../turn.ts';
import { knownContext } from './known-context.ts';
import { whatCanBeAsked } from './what-can-be-asked.ts';

/**
 * A language model answers from what is known of the database, the talk and the last query; where nothing says it, the person is told so.
 * `known` are lines that were found for it, `ids` tables to have in view. Bug: there is no model.
 */
export async function explainByModel(
  { turn, talk }: ServedTurn,
  desk: TurnDesk,
  {
    known = [],
    ids = talk.tables,
  }: { readonly known?: readonly string[]; readonly ids?: readonly string[] } = {},
): Promise<Served> {
  const { session, mind, signal, tell } = desk;
  if (mind === undefined) throw new Error('a turn without a model was to be explained by one');
  tell({ kind: 'stage', stage: 'answer about' });
  const context = await knownContext(turn.text, ids, desk);
  const lastQuery = lastSqlOf(talk);
  const { isKnown, text, tables } = await mind.assistant.answerAbout(
    { text: turn.text, ledger: mind.ledger, ...(signal && { signal }) },
    {
      schema: context.schema(),
      knowledge: [...new Set([...known, ...context.definitions, ...context.notes])],
      turns: talk.turns,
      ...(lastQuery !== undefined && { lastQuery }),
      understood: understoodOf(talk),
    },
  );
  const named = idsOf(tables, desk);
  const shown = named.map((id) => ({ id, because: [] }));
  const cards = named.length === 0 ? [] : tableCards(shown, session, await session.base.open());
  const examples = isKnown ? [] : whatCanBeAsked(session).examples;
  return {
    cards: [
      { kind: 'text', text },
      ...(cards.length === 0 ? [] : [{ kind: 'tables', tables: cards, isChoice: false } as const]),
    ],
    quickReplies: cards.length === 0 ? examples : repliesToTables(cards),
    talk: cards.length === 0 ? talk : afterTables(talk, named),
    line: text,
  };
}

/** What the last answer said of itself. */
function understoodOf({ lastQuery, mended }: Talk): readonly string[] {
  if (lastQuery === undefined || mended !== undefined) return [];
  const { explanation, assumptions = [] } = lastQuery;
  return [...(explanation === undefined ? [] : [explanation]), ...assumptions];
}

/** Tables as a model names them; what does not exist is left out. */
function idsOf(names: readonly string[], { session: { catalog } }: TurnDesk): readonly string[] {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return catalog.tables
    .filter(({ id, name }) => wanted.has(id.toLowerCase()) || wanted.has(name.toLowerCase()))
    .map(({ id }) => id);
}
