import type { Note } from '../../knowledge/index.ts';
import type { KnowledgeBase } from '../../knowledge-base.ts';
import type { Session } from '../../session.ts';
import type { TablePage } from '../contract/catalog-contract.ts';

/** Notes that name the table and that the reader may read: everybody's and their own, none about hidden tables. */
export function notesAbout(id: string, session: Session, { graph }: KnowledgeBase): TablePage['notes'] {
  return graph
    .notesOf(id)
    .filter(({ value }) => mayRead(value, session))
    .map(({ value: { text, place, by, at } }) => ({
      ...{ text, place },
      ...(by !== undefined && { by }),
      ...(at !== undefined && { at }),
    }));
}

export function mayRead({ user, tables, columns }: Note, { config, hiddenTables }: Session): boolean {
  const isOwn = user === undefined || user === config.user;
  const isHidden = (id: string): boolean => hiddenTables.has(id);
  return isOwn && !tables.some(isHidden) && !columns.some((id) => isHidden(id.slice(0, id.lastIndexOf('.'))));
}
