import type { Mention, ValueMatch } from './mention.ts';

/** The two words of a full name, where different columns of one table hold them. */
export function partsOf(
  text: string,
  lookupValue: (text: string) => readonly ValueMatch[],
): Mention['parts'] {
  const words = text.split(' ');
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined || words.length < 2 || words.length > 3) return undefined;
  const lasts = lookupValue(last);
  const firsts = lookupValue(first);
  const pairs = firsts.flatMap((a) => lasts.filter((b) => isPair(a, b)).map((b) => [a, b] as const));
  return pairs.length === 0 ? undefined : [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
}

function isPair(a: ValueMatch, b: ValueMatch): boolean {
  return (
    a.tableId === b.tableId &&
    a.columnId !== b.columnId &&
    /name/i.test(a.columnId) &&
    /name/i.test(b.columnId)
  );
}
