import type { Note } from './authored.ts';

/**
 * Whether somebody may be told a note: everybody's, and their own. What was proposed by nobody by name is for whoever
 * works here without one, until it is reviewed.
 */
export function isNoteFor({ user, isProposed }: Pick<Note, 'user' | 'isProposed'>, reader?: string): boolean {
  if (user !== undefined) return user === reader;
  return isProposed !== true || reader === undefined;
}
