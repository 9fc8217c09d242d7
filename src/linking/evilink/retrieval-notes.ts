/** What retrieval said of items, as texts for readers and as reasons for people. */
import type { LinkReason } from '../linked-schema.ts';
import { oneLine } from './one-line.ts';

const LONGEST_NOTE = 300;

/** One line: a note may quote values of the database. */
export function textOfNote(note: string | LinkReason): string {
  return oneLine(typeof note === 'string' ? note : note.text, LONGEST_NOTE);
}

export function reasonOfNote(note: string | LinkReason): LinkReason {
  return { kind: typeof note === 'string' ? 'note' : note.kind, text: textOfNote(note) };
}
