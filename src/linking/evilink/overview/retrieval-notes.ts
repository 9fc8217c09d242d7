/** What retrieval said of items, as texts for readers and as reasons for people. */
import { reshaped, type SharedText } from '../../../catalog/share/index.ts';
import type { LinkReason, SharedReason } from '../../schema/linked-schema.ts';
import { oneLine } from '../items/one-line.ts';

const LONGEST_NOTE = 300;

/** One line: a note may quote values of the database. */
export function textOfNote(note: SharedText | SharedReason): SharedText {
  return reshaped(typeof note === 'string' ? note : note.text, (text) => oneLine(text, LONGEST_NOTE));
}

export function reasonOfNote(note: SharedText | SharedReason): LinkReason {
  return { kind: typeof note === 'string' ? 'note' : note.kind, text: textOfNote(note) };
}
