import { timeGrain } from '../read/time-grains.ts';
import type { Token } from '../read/tokenise.ts';

/** "province the number", "weekly number of": words of two things, or of a thing and its count. */
export function isAcross(span: readonly Token[], next: Token | undefined): boolean {
  const isSplit = span.some(
    ({ lower }, at) => lower === 'the' && !/^(?:of|in|on|for|at|by|to|with)$/.test(span[at - 1]?.lower ?? ''),
  );
  // "courses have a final project": what has and what is had.
  if (span.some(({ lower }, at) => at > 0 && /^(?:have|has|had)$/.test(lower))) return true;
  // "the number of courses" counts them, whatever column is called number.
  const last = span.at(-1);
  const isOfMany = last !== undefined && last.lower !== last.lemma && span[1]?.lower === 'of';
  if (isOfMany && span[0]?.lower === 'number') return true;
  const isCount = span.at(-1)?.lower === 'number' && next?.lower === 'of';
  return isSplit || (isCount && timeGrain(span[0]?.lower ?? '') !== undefined);
}
