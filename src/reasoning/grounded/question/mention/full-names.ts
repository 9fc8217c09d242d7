import { splitName } from '../../../../language/index.ts';
import type { Mention, ValueMatch } from './mention.ts';

const FIRST = /^(?:first|given|fore|forename|fname)$/;
const LAST = /^(?:last|family|sur|surname|lname)$/;

/**
 * "Nancy Davolio", where one column holds first names and another of the same table last names, is one person: both words are one
 * mention, so that what denies, joins or compares one of them does so to both.
 */
export function withFullNames(mentions: readonly Mention[]): readonly Mention[] {
  const joined: Mention[] = [];
  for (const mention of mentions) {
    const before = joined.at(-1);
    const values = before === undefined ? [] : fullNames(before, mention);
    if (before === undefined || values.length === 0) joined.push(mention);
    else joined[joined.length - 1] = onePerson(before, mention, values);
  }
  return joined.length === mentions.length
    ? mentions
    : joined.map((mention, index) => ({ ...mention, index }));
}

function fullNames(first: Mention, last: Mention): readonly ValueMatch[] {
  if (!isName(first) || !isName(last)) return [];
  return first.values.flatMap((value) =>
    last.values
      .filter((other) => areNames(value, other))
      .map((beside) => ({ ...value, score: Math.max(value.score, beside.score), beside })),
  );
}

/** Written as names are, and one word of two that are not taken together yet. */
function isName(mention: Mention): boolean {
  return (
    mention.values.length > 0 &&
    mention.to - mention.from === 1 &&
    mention.cue === undefined &&
    !mention.isQuoted &&
    mention.values.every(({ beside }) => beside === undefined) &&
    /^\p{Lu}/u.test(mention.text)
  );
}

function areNames(a: ValueMatch, b: ValueMatch): boolean {
  if (a.tableId !== b.tableId) return false;
  const [first, last] = [a, b].map(({ columnId, tableId }) => splitName(columnId.slice(tableId.length + 1)));
  const has = (words: readonly string[] | undefined, kind: RegExp): boolean =>
    words?.some((word) => kind.test(word)) === true;
  return (has(first, FIRST) && has(last, LAST)) || (has(first, LAST) && has(last, FIRST));
}

function onePerson(first: Mention, last: Mention, values: readonly ValueMatch[]): Mention {
  return {
    ...first,
    to: last.to,
    span: { start: first.span.start, end: last.span.end },
    text: `${first.text} ${last.text}`,
    score: Math.max(first.score, last.score),
    values,
    nouns: [],
  };
}

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
