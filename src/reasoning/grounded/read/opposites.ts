const PAIRS: readonly (readonly [string, string])[] = [
  ['open', 'closed'],
  ['active', 'inactive'],
  ['enabled', 'disabled'],
  ['available', 'unavailable'],
  ['paid', 'unpaid'],
  ['public', 'private'],
  ['online', 'offline'],
  ['valid', 'invalid'],
  ['married', 'unmarried'],
  ['verified', 'unverified'],
  ['published', 'unpublished'],
];

/** The word for what is not so: "closed" for `is_open`. */
export function oppositeOf(word: string): string | undefined {
  const pair = PAIRS.find((words) => words.includes(word));
  return pair?.find((other) => other !== word);
}
