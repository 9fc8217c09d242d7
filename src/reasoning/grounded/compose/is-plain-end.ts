import type { Cursor } from './cursor.ts';

/** Nothing is said of the noun that stands here: the sentence ends, or goes on with something else. */
export function isPlainEnd(cursor: Cursor): boolean {
  const next = cursor.at(1);
  return (
    next === undefined ||
    next.isSentenceEnd ||
    next.isComma ||
    next.cue?.kind === 'order' ||
    (next.cue?.kind === 'relative' && !opensComparison(cursor, 2)) ||
    cursor.cue(1, 'of') !== undefined
  );
}

/** "a location that contains NY", "an age that is above 20". */
function opensComparison(cursor: Cursor, offset: number): boolean {
  const at = cursor.skip(offset, ['be', 'stop']);
  return cursor.cue(at, 'like') !== undefined || cursor.cue(at, 'compare') !== undefined;
}
