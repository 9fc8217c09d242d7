import type { Mention } from '../mention/mention.ts';
import type { Cursor } from './cursor.ts';
import { tableScore } from './nouns.ts';

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
