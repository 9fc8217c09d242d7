/** Who does or has what: the nouns around a verb. */
import type { Mention } from '../../question/mention/mention.ts';
import type { Cursor } from './cursor.ts';
import { isTableLike, tableScore } from './nouns.ts';

/** "which customers ordered a latte", "which technicians repaired machines": what they did stands between them and what they did it to. */
export function doesTo(cursor: Cursor, offset: number): boolean {
  const [subject, done] = [cursor.noun(offset - 1), cursor.noun(offset)];
  const isAsked = /^(?:which|what)$/i.test(cursor.at(offset - 2)?.text ?? '');
  if (subject === undefined || done === undefined || !isAsked || tableScore(subject) < 0.85) return false;
  const isNow = isSaidOfOne(subject, done);
  if (!isNow && !/^\w+ed$/i.test(done.text)) return false;
  if (isNow && cursor.cue(offset + 1, 'preposition') !== undefined) return true;
  const at = cursor.skip(offset + 1, ['stop']);
  const object = cursor.noun(at);
  return cursor.role(at) === 'value' || (object !== undefined && tableScore(object) >= 0.85);
}

/** "which enzyme interacts with": the table `interaction` is called so by its stem alone. */
function isSaidOfOne(subject: Mention, done: Mention): boolean {
  return /[^s]s$/i.test(done.text) && !/s$/i.test(subject.text) && (done.nouns[0]?.score ?? 0) < 0.75;
}

/** "employees hired since 2003", "films rated G": when or as what it was done narrows, and is not what is asked for. */
export function isDoneThen(cursor: Cursor, offset: number): boolean {
  const done = cursor.noun(offset);
  if (done === undefined || !/^\w+(?:ed|en|wn|rn)$/i.test(done.text)) return false;
  if (cursor.role(cursor.skip(offset + 1, ['preposition', 'stop', 'not'])) === 'time') return true;
  const columns = new Set(done.nouns.map(({ id }) => id));
  const isHeld = cursor.at(offset + 1)?.values.some(({ columnId }) => columns.has(columnId));
  return cursor.role(offset + 1) === 'value' && isHeld === true;
}

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

/** "the journal with 'X' in its name", "states with an area above 10": the table that the question says has it. */
export function ownerBefore(cursor: Cursor): Mention | undefined {
  let lead = -1;
  while (cursor.cue(lead, 'stop') !== undefined && lead > -3) lead -= 1;
  const { cue, text = '' } = cursor.at(lead) ?? {};
  const isTied = cue?.kind === 'have' || /^(?:with|whose|having)$/i.test(text);
  const owner = isTied ? cursor.noun(lead - 1) : undefined;
  return owner !== undefined && isTableLike(owner) ? owner : undefined;
}
