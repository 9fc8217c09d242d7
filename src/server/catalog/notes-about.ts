import { isAboutHidden, isNoteFor, type Note } from '../../knowledge/index.ts';
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

export function mayRead(
  note: Note,
  { config, hiddenTables }: Pick<Session, 'config' | 'hiddenTables'>,
): boolean {
  return isNoteFor(note, config.user) && !isAboutHidden(note, hiddenTables);
}
