/** Numbers written as words; "one" is left out, since it mostly stands for a thing ("each one"). */
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  zero: 0,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  twenty: 20,
  thirty: 30,
  fifty: 50,
  hundred: 100,
  thousand: 1000,
};

/** The number that a word stands for: `four` → 4. */
export function numberWord(lower: string): number | undefined {
  return Object.hasOwn(NUMBER_WORDS, lower) ? NUMBER_WORDS[lower] : undefined;
}

const ORDINALS = ['second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** "second", "3rd": the place in a ranking; the first is what a ranking names anyway. */
export function ordinalNumber(text: string): number | undefined {
  const at = ORDINALS.indexOf(text.toLowerCase());
  const digits = /^(\d{1,3})(?:st|nd|rd|th)$/i.exec(text)?.[1];
  const place = at >= 0 ? at + 2 : digits === undefined ? undefined : Number(digits);
  return place === undefined || place < 2 ? undefined : place;
}
