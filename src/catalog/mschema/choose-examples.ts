/** Which stored values of a column a schema text shows. */
import type { Column } from '../catalog.ts';

const MOST_SHOWN = 3;
/** Samples longer than this say what they are by one of them, and longer than that by none. */
const LONG = 20;
const TOO_LONG = 50;
/** A value of the question is shown whole or not at all: a cut literal would be a wrong one. */
const LONGEST_VALUE = 200;

/**
 * Values that the question's words were found in come first, whatever their length, then samples: three at most, one
 * where the longest has more than 20 characters or the column holds times, none beyond 50; addresses of mail and of
 * pages are left out, and all of a withheld column. Source: XiYan M-Schema, example rules (ThothAI, section 11).
 */
export function chooseExamples(
  { family, profile }: Column,
  found: readonly string[],
  most: number,
): readonly string[] {
  if (profile?.pii?.isWithheld === true) return [];
  const limit = Math.min(most, MOST_SHOWN);
  const values = distinct(found).filter((value) => value.length <= LONGEST_VALUE);
  const sampled = distinct(profile?.examples.slice(0, Math.max(0, most)) ?? []).filter(
    (value) => !isAddress(value),
  );
  const shown = sampled.slice(0, limit);
  const isTime = family === 'time' || profile?.pattern?.startsWith('iso-') === true;
  const allowed = isTime ? Math.min(1, allowedByLength(shown)) : allowedByLength(shown);
  const hits = values.slice(0, limit);
  const samples = shown.filter((value) => !hits.includes(value));
  return [...hits, ...samples.slice(0, Math.max(0, Math.min(allowed, limit) - hits.length))];
}

function allowedByLength(values: readonly string[]): number {
  const longest = Math.max(0, ...values.map((value) => value.length));
  return longest > TOO_LONG ? 0 : longest > LONG ? 1 : MOST_SHOWN;
}

function isAddress(value: string): boolean {
  return /^[^\s@]+@[^\s@]+\.\p{L}{2,}$|^(?:[a-z][a-z0-9+.-]{1,10}:\/\/|www\.)|\.com(?:[/?#:]|$)/iu.test(
    value,
  );
}

/** Without empty ones, each once; blanks around a value stay: whoever compares with it without them finds nothing. */
function distinct(values: readonly string[]): string[] {
  const bare = new Map(values.toReversed().map((value) => [value.trim(), value]));
  bare.delete('');
  return [...bare.values()].toReversed();
}
