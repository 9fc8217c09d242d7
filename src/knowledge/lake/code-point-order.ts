import { compareText } from '../../sql/index.ts';

/** From here on the order of code units is not that of code points. */
const BEYOND = /[\ud800-\uffff]/;

/** The order of SQLite and of every engine that compares bytes of UTF-8. */
export function compareCodePoints(a: string, b: string): number {
  return BEYOND.test(a) || BEYOND.test(b)
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : compareText(a, b);
}
