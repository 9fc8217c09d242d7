import { assembleContext, fitsWhole, type QuestionContext } from '../../answering/index.ts';
import { restrictCatalog } from '../../linking/index.ts';
import type { TurnDesk } from '../open-turn-desk.ts';
import { tablesNamed } from '../routing/tables-named.ts';

/** Beyond these, what was found is less about the words than beside them. */
const MOST_FOUND = 12;

/**
 * What a language model is told of the database to answer a question about it: all that is known where that fits, else the tables that
 * are named, shown (`ids`) or found. Bug: there is no model.
 */
export async function knownContext(
  text: string,
  ids: readonly string[],
  { session, mind, signal }: TurnDesk,
): Promise<QuestionContext> {
  if (mind === undefined) throw new Error('a context was to be made for no model');
  const { contextWindow, writer } = mind;
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
