/** Words that are spelt in another way than the names they stand for. */
import { lemmaOf } from '../../../../language/index.ts';
import type { Token } from './tokenise.ts';

/** A token that was read as another word, one letter away. */
export interface Correction {
  readonly token: Token;
  readonly to: string;
}

const MIN_LENGTH = 5;

/** A word of a question that is no word of the vocabulary, read as one that is. */
export function correctSpelling(token: Token, vocabulary: ReadonlySet<string>): Correction | null {
  const to = token.kind === 'word' ? nearestWord(token.lower, vocabulary) : undefined;
  return to === undefined ? null : { token, to };
}

/**
 * The vocabulary word one edit away from a word (a letter changed, added, left out, or two swapped), if there
 * is just one and it begins with the same letter. Short words are left alone: they are one edit from anything.
 */
export function nearestWord(word: string, vocabulary: ReadonlySet<string>): string | undefined {
  if (word.length < MIN_LENGTH || vocabulary.has(word)) return undefined;
  const near = new Set<string>();
  for (const candidate of edits(word))
    if (candidate[0] === word[0] && vocabulary.has(candidate)) near.add(candidate);
  const [first] = near;
  // A name and its plural are one word.
  const lemmas = new Set([...near].map(lemmaOf));
  const sameEnd = [...near].find((candidate) => candidate.at(-1) === word.at(-1));
  return lemmas.size === 1 && first !== undefined ? (sameEnd ?? first) : undefined;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

function* edits(word: string): Generator<string> {
  for (let at = 1; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (tail !== '') yield head + tail.slice(1);
    if (tail.length > 1) yield head + tail[1] + tail[0] + tail.slice(2);
    for (const letter of LETTERS) {
      if (tail !== '') yield head + letter + tail.slice(1);
      yield head + letter + tail;
    }
  }
}

/** Adjectives of continents and of countries people ask about most; regular ones end as their country does. */
const DEMONYMS: Readonly<Record<string, readonly string[]>> = {
  african: ['Africa'],
  american: ['USA', 'United States', 'US', 'America', 'United States of America'],
  argentinian: ['Argentina'],
  asian: ['Asia'],
  australian: ['Australia'],
  austrian: ['Austria'],
  belgian: ['Belgium'],
  brazilian: ['Brazil'],
  british: ['UK', 'United Kingdom', 'Britain', 'Great Britain'],
  canadian: ['Canada'],
  chinese: ['China'],
  danish: ['Denmark'],
  dutch: ['Netherlands'],
  egyptian: ['Egypt'],
  english: ['England'],
  european: ['Europe'],
  finnish: ['Finland'],
  french: ['France'],
  german: ['Germany'],
  greek: ['Greece'],
  hungarian: ['Hungary'],
  indian: ['India'],
  indonesian: ['Indonesia'],
  irish: ['Ireland'],
  israeli: ['Israel'],
  italian: ['Italy'],
  japanese: ['Japan'],
  korean: ['Korea', 'South Korea'],
  mexican: ['Mexico'],
  norwegian: ['Norway'],
  polish: ['Poland'],
  portuguese: ['Portugal'],
  russian: ['Russia', 'Russian Federation'],
  scottish: ['Scotland'],
  spanish: ['Spain'],
  swedish: ['Sweden'],
  swiss: ['Switzerland'],
  turkish: ['Turkey'],
  ukrainian: ['Ukraine'],
  welsh: ['Wales'],
};

const COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  'united states': ['USA', 'US', 'United States of America'],
  'the united states': ['USA', 'United States', 'US', 'United States of America'],
  usa: ['United States', 'US', 'United States of America'],
  us: ['USA', 'United States', 'United States of America'],
  america: ['USA', 'United States', 'US'],
  uk: ['United Kingdom', 'Great Britain'],
  'united kingdom': ['UK', 'Great Britain'],
  britain: ['UK', 'United Kingdom', 'Great Britain'],
};

const STATES: readonly string[] =
  'Alabama AL,Alaska AK,Arizona AZ,Arkansas AR,California CA,Colorado CO,Connecticut CT,Delaware DE,Florida FL,Georgia GA,Hawaii HI,Idaho ID,Illinois IL,Indiana IN,Iowa IA,Kansas KS,Kentucky KY,Louisiana LA,Maine ME,Maryland MD,Massachusetts MA,Michigan MI,Minnesota MN,Mississippi MS,Missouri MO,Montana MT,Nebraska NE,Nevada NV,New Hampshire NH,New Jersey NJ,New Mexico NM,New York NY,North Carolina NC,North Dakota ND,Ohio OH,Oklahoma OK,Oregon OR,Pennsylvania PA,Rhode Island RI,South Carolina SC,South Dakota SD,Tennessee TN,Texas TX,Utah UT,Vermont VT,Virginia VA,Washington WA,West Virginia WV,Wisconsin WI,Wyoming WY'.split(
    ',',
  );

/** States of the USA by name and by code, each with the other. */
const STATE_SPELLINGS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  STATES.flatMap((state) => {
    const [name, code] = [state.slice(0, -3), state.slice(-2)];
    return [
      [name.toLowerCase(), [code]],
      [code.toLowerCase(), [name]],
    ];
  }),
);

const SEXES: Readonly<Record<string, readonly string[]>> = {
  female: ['F', 'Woman'],
  females: ['Female', 'F'],
  woman: ['Female', 'F'],
  women: ['Female', 'F'],
  girl: ['Female', 'F'],
  girls: ['Female', 'F'],
  male: ['M', 'Man'],
  males: ['Male', 'M'],
  man: ['Male', 'M'],
  men: ['Male', 'M'],
  boy: ['Male', 'M'],
  boys: ['Male', 'M'],
};

/** How a value may be stored that a question names otherwise. */
export interface OtherSpelling {
  readonly text: string;
  /** Columns it is looked for in; any when absent. */
  readonly column?: RegExp;
}

/** Other texts a word may be stored as: `otherSpellings('French')` → `[{ text: 'France' }]`. */
export function otherSpellings(word: string): readonly OtherSpelling[] {
  const lower = word.toLowerCase();
  const places = [...known(DEMONYMS, lower), ...known(COUNTRIES, lower)].map((text) => ({ text }));
  // A state's code is written in capitals: "in" is a word.
  const isCode = word.length === 2 && word !== word.toUpperCase();
  const states = isCode
    ? []
    : known(STATE_SPELLINGS, lower).map((text) => ({ text, column: /state|province/i }));
  return [...places, ...states, ...known(SEXES, lower).map((text) => ({ text, column: /sex|gender/i }))];
}

/** Never what every object has: `constructor` is a word. */
function known(table: Readonly<Record<string, readonly string[]>>, word: string): readonly string[] {
  return Object.hasOwn(table, word) ? (table[word] ?? []) : [];
}
