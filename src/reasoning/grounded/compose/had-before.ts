import type { Mention } from '../mention/mention.ts';
import type { Cursor } from './cursor.ts';

/** "customers with orders but without claims": that they have the first is said as much as that they lack the second. */
export function hadBefore(cursor: Cursor): void {
  const had = cursor.noun(-1);
  const { frame } = cursor;
  const isList = frame.projections.length > 0 && frame.projections.every(({ noun }) => noun !== had);
  if (had === undefined || !isList || !deniesNext(cursor) || !isHad(cursor)) return;
  frame.presences.push(had);
  frame.contexts = frame.contexts.filter((mention) => mention !== had);
  if (cursor.pending === had) cursor.forget();
}

/** Behind the "but", past a verb, something is denied. */
function deniesNext(cursor: Cursor): boolean {
  const at = cursor.skip(1, ['stop', 'have', 'relative']);
  const isVerb = cursor.role(at) === 'unknown' && cursor.at(at)?.isVerbLike === true;
  return cursor.cue(isVerb ? at + 1 : at, 'not') !== undefined;
}

/** What stands before is said to be had, made or placed: between it and who has it nothing is compared. */
function isHad(cursor: Cursor): boolean {
  for (let back = -2; back >= -FARTHEST; back--) {
    const mention = cursor.at(back);
    if (mention === undefined || isOwner(cursor, mention)) return back < -2;
    const isFiller = ['stop', 'have', 'wh', 'relative', 'preposition'].includes(mention.cue?.kind ?? '');
    if (!isFiller && !mention.isVerbLike) return false;
  }
  return false;
}

const FARTHEST = 6;

function isOwner({ frame }: Cursor, mention: Mention): boolean {
  return frame.projections.some(({ noun }) => noun === mention);
}
