import { assembleContext, fitsWhole, type QuestionContext } from '../../answering/prompt/index.ts';
import { restrictCatalog } from '../../linking/index.ts';
import { tablesNamed } from '../routing/read-reply.ts';
import { repliesToTables } from '../turn/quick-replies.ts';
import { tableCards } from '../turn/table-cards.ts';
import { afterTables, lastSqlOf } from '../turn/talk-state.ts';
import type { Talk } from '../turn/turn.ts';
import type { Served, ServedTurn, TurnContext } from '../turn/turn-context.ts';
import { whatCanBeAsked } from './what-can-be-asked.ts';

/**
 * A language model answers from what is known of the database, the talk and the last query; where nothing says it, the person is told so.
 * `known` are lines that were found for it, `ids` tables to have in view. Bug: there is no model.
 */
export async function explainByModel(
  { turn, talk }: ServedTurn,
  turnContext: TurnContext,
  {
    known = [],
    ids = talk.tables,
  }: { readonly known?: readonly string[]; readonly ids?: readonly string[] } = {},
): Promise<Served> {
  const { session, modelRoles, signal, tell } = turnContext;
  if (modelRoles === undefined) throw new Error('a turn without a model was to be explained by one');
  tell({ kind: 'stage', stage: 'answer about' });
  const context = await knownContext(turn.text, ids, turnContext);
  const lastQuery = lastSqlOf(talk);
  const { isKnown, text, tables } = await modelRoles.assistant.answerAbout(
    { text: turn.text, ledger: modelRoles.ledger, ...(signal && { signal }) },
    {
      schema: context.schema(),
      knowledge: [...new Set([...known, ...context.definitions, ...context.notes])],
      turns: talk.turns,
      ...(lastQuery !== undefined && { lastQuery }),
      understood: understoodOf(talk),
    },
  );
  const named = idsOf(tables, turnContext);
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
function idsOf(names: readonly string[], { session: { catalog } }: TurnContext): readonly string[] {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return catalog.tables
    .filter(({ id, name }) => wanted.has(id.toLowerCase()) || wanted.has(name.toLowerCase()))
    .map(({ id }) => id);
}

/** Beyond these, what was found is less about the words than beside them. */
const MOST_FOUND = 12;

/**
 * What a language model is told of the database to answer a question about it: all that is known where that fits, else the tables that
 * are named, shown (`ids`) or found. Bug: there is no model.
 */
async function knownContext(
  text: string,
  ids: readonly string[],
  { session, modelRoles, signal }: TurnContext,
): Promise<QuestionContext> {
  if (modelRoles === undefined) throw new Error('a context was to be made for no model');
  const { contextWindow, writer } = modelRoles;
  const parts = { question: text, sharing: writer.sharing ?? 'all', contextWindow };
  if (fitsWhole(session, contextWindow)) return assembleContext(session, parts);
  const { catalog } = session;
  const base = await session.base.open();
  const retrieved = await base.retrieve({ question: text, ...(signal && { signal }) });
  const found = retrieved.tables.slice(0, MOST_FOUND).map(({ item }) => item.tableId);
  const inView = new Set([...ids, ...tablesNamed(text, catalog), ...found]);
  const columns = catalog.tables.filter(({ id }) => inView.has(id)).flatMap((table) => table.columns);
  const shown = restrictCatalog(catalog, inView, new Set(columns.map(({ id }) => id)));
  return assembleContext(session, { ...parts, linked: { catalog: shown }, retrieved, base });
}
