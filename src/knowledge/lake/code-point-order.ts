import { compareText } from '../../lib/index.ts';

/** From this code unit on the order of code units is not that of code points. */
const BEYOND = 0xd800;

/** The order of SQLite, and of every engine that compares bytes of UTF-8. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  const isSure = at === length || (a.charCodeAt(at) < BEYOND && b.charCodeAt(at) < BEYOND);
  return isSure ? compareText(a, b) : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
