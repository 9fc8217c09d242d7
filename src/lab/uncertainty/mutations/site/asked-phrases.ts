/** Values that a model may read out of a question. */
import type { Asked } from './site.ts';

const QUOTED = /["“'‘`]([^"”'’`]{1,60})["”'’`]/gu;
/** Words with a capital inside a sentence: `New York`, `Marvel Comics`. */
const NAMED = /(?<=[\p{L}\p{N},;:'"”]\s)\p{Lu}[\p{L}\p{N}.&-]*(?:\s+(?:of\s+)?\p{Lu}[\p{L}\p{N}.&-]*)*/gu;
const NUMBER = /(?<![\p{L}\p{N}_.])\d+(?:\.\d+)?(?![\p{L}\p{N}_])/gu;

/** Quoted phrases and names, as written. */
export function phrasesOf({ question, hint }: Asked): readonly string[] {
  const quoted = [question, hint].flatMap((text) =>
    [...text.matchAll(QUOTED)].map((found) => found[1] ?? ''),
  );
  const named = [...question.matchAll(NAMED)].map(([text]) => text);
  return [...new Set([...quoted, ...named])].filter((text) => text.trim() !== '' && text.length <= 60);
}

export function numbersOf({ question, hint }: Asked): readonly string[] {
  return [...new Set([...`${question} ${hint}`.matchAll(NUMBER)].map(([text]) => text))];
}

/** Characters of a value that are looked for; longer ones are texts, not names. */
const MOST_CHARACTERS = 80;
const WORD = /[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu;

/**
 * How the question says a value, with the word before or after it when it says it the same way:
 * `phraseAsAsked('Alameda', 'schools in Alameda County', 1)` → `Alameda County`. `side` below ½ takes the word before.
 */
export function phraseAsAsked(value: string, question: string, side: number): string | undefined {
  if (value.length > MOST_CHARACTERS) return;
  const wanted = wordsIn(value).map(({ text }) => text.toLowerCase());
  const words = wordsIn(question);
  const at = words.findIndex((_, place) =>
    wanted.every((word, index) => isSameWord(words[place + index]?.text.toLowerCase() ?? '', word)),
  );
  if (wanted.length === 0 || at < 0) return;
  const last = at + wanted.length - 1;
  const slice = (from: number, to: number): string | undefined => {
    const [first, end] = [words[from], words[to]];
    return first && end && question.slice(first.start, end.end);
  };
  const said = slice(at, last);
  if (said !== value) return said;
  return side < 0.5 ? slice(at - 1, last) : slice(at, last + 1);
}

function wordsIn(text: string): { readonly text: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(WORD)].map((found) => ({
    text: found[0],
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/** Equal but for an ending: `movie`, `movies`. */
function isSameWord(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return one === other || (short.length >= 4 && long.startsWith(short) && long.length - short.length <= 2);
}
