import { nameWords, stemOf } from '../../language/index.ts';

/** The words of a question with their stems and places. */
export interface AskedWord {
  readonly stem: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
}

/** Where a name stands in a question: the words of it that were found, and the share of its letters they make. */
export interface NamePlace {
  readonly start: number;
  readonly end: number;
  readonly share: number;
}

/** Offsets are UTF-16 units of the text itself. */
export function readAskedWords(question: string): readonly AskedWord[] {
  return [...question.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => {
    const lower = match[0].toLowerCase();
    return { lower, stem: stemOf(lower), start: match.index, end: match.index + lower.length };
  });
}

/**
 * The place of a name in the question, undefined where no word of it is there. Names that run words together
 * (`lifeexpectancy`) are found beside the words that make them.
 */
export function placeName(name: string, asked: readonly AskedWord[]): NamePlace | undefined {
  const words = nameWords(name);
  const letters = words.join('').length;
  if (letters === 0) return undefined;
  const joined = placeJoined(words.join(''), asked);
  if (joined !== undefined) return joined;
  const stems = new Set(words.map(stemOf));
  const found = asked.filter(({ stem }) => stems.has(stem));
  const [first] = found;
  const last = found.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const there = new Set(found.map(({ stem }) => stem));
  const covered = words.filter((word) => there.has(stemOf(word))).join('').length;
  // Words far apart are not one phrase; the longest of them is what is shown.
  const isNear = last.end - first.start <= 2 * letters + 10;
  const longest = found.reduce((best, word) => (word.lower.length > best.lower.length ? word : best));
  const { start, end } = isNear ? { start: first.start, end: last.end } : longest;
  return { start, end, share: covered / letters };
}

function placeJoined(joined: string, asked: readonly AskedWord[]): NamePlace | undefined {
  for (let at = 0; at < asked.length; at += 1) {
    let text = '';
    for (let to = at; to < Math.min(asked.length, at + 5); to += 1) {
      text += asked[to]!.lower;
      if (text === joined || stemOf(text) === stemOf(joined))
        return { start: asked[at]!.start, end: asked[to]!.end, share: 1 };
    }
  }
  return undefined;
}
