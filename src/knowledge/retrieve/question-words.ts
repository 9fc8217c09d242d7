/** The words of a text that can find something: without stop words, in the forms that names and texts share. */

/** A question beyond this is a document; its first words say what is asked. */
const MAX_CHARACTERS = 4_000;
const MAX_WORDS = 150;

const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about all also am among an and any are as at be been being between both but by can could did do does each every
  find for from get give had has have having how i if in into is it its let like list many me more most much my need no
  not of on only or our out over per please provide return show so some such tell than that the their them then there
  these they this those to under us use used using very want was we were what when where whether which while who whom
  whose will with within without would you your`.split(/\s+/),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Lower-case words of letters and digits, stop words and single letters left out, each once, in order. */
export function contentWords(text: string): readonly string[] {
  const words = wordsOf(text).filter((word) => word.length > 1 && !STOP_WORDS.has(word));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Pairs of neighbours that names write as one word: `Citi Bikes` → `citibikes`, where `isName` knows it in some form. */
export function compoundWords(text: string, isName: (word: string) => boolean): readonly string[] {
  const words = wordsOf(text);
  const found = new Set<string>();
  for (let at = 1; at < words.length; at += 1) {
    const [left = '', right = ''] = [words[at - 1], words[at]];
    if (left.length > 2 && right.length > 2 && isName(left + right)) found.add(left + right);
  }
  return [...found];
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .slice(0, MAX_CHARACTERS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
