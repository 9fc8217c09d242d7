import type { Cursor } from './cursor.ts';

/** "employees hired since 2003", "films rated G": when or as what it was done narrows, and is not what is asked for. */
export function isDoneThen(cursor: Cursor, offset: number): boolean {
  const done = cursor.noun(offset);
  if (done === undefined || !/^\w+(?:ed|en|wn|rn)$/i.test(done.text)) return false;
  if (cursor.role(cursor.skip(offset + 1, ['preposition', 'stop', 'not'])) === 'time') return true;
  const columns = new Set(done.nouns.map(({ id }) => id));
  const isHeld = cursor.at(offset + 1)?.values.some(({ columnId }) => columns.has(columnId));
  return cursor.role(offset + 1) === 'value' && isHeld === true;
}
