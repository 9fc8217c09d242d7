import { isAboutHidden, isNoteFor, type Note } from '../../knowledge/authored/index.ts';
import type { KnowledgeBase } from '../../knowledge/base/index.ts';
import { type KnownExample, knownExamples } from '../../knowledge/retrieve/index.ts';
import type { Session } from '../../session/index.ts';
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

const KEPT = new WeakMap<Session, readonly KnownExample[]>();

/** Verified pairs that read nothing but tables of this reader; they are parsed once. */
export function readableExamples(session: Session): readonly KnownExample[] {
  const known = KEPT.get(session) ?? knownExamples(session.examples, session.catalog).examples;
  KEPT.set(session, known);
  return known;
}
