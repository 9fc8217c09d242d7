/** What can be told without a model about whether a text is a question at all. In doubt it is one. */

import {
  LANGUAGE_ASKED_WORDS,
  LANGUAGE_LETTERS,
  LANGUAGE_SCRIPTS,
  LANGUAGE_STOP_WORDS,
} from '../../language/index.ts';
import type { QuestionValidity } from '../../reasoning/roles/normalise-reasoner.ts';

export interface CheckedQuestion {
  readonly validity: QuestionValidity;
  /** A short sentence for people; empty where it is `ok`. */
  readonly because: string;
}

export interface QuestionCheck {
  /** Whether the schema has a word; absent: nothing is known of it. */
  readonly isKnownWord?: (word: string) => boolean;
}

const OK: CheckedQuestion = { validity: 'ok', because: '' };
const COURTESIES: ReadonlySet<string> = new Set(
  `afternoon bonjour bye ciao danke day dear evening goodbye good gracias guten hallo hello hey hi hola how are you merci
  moin morning my night ok okay please salut so tag test testing thank thanks there very much welcome well you`.split(
    /\s+/,
  ),
);
/** Those that a sentence of courtesies must have: `how are you` without them may be the start of a question. */
const GREETINGS =
  /^(?:bonjour|bye|ciao|danke|good|goodbye|gracias|guten|hallo|hello|hey|hi|hola|merci|moin|ok|okay|salut|test|testing|thank|thanks)$/;
/** What people ask of an assistant and no database holds, unless its schema has such words. */
const ELSEWHERE =
  /\b(?:(?:tell|write|make|sing|compose)\b.{0,40}\b(?:joke|poem|story|song|essay|haiku|limerick)|who (?:are|made) you|what is your name|what can you do|(?:what|how)(?:'s| is| will be)? the weather|translate\b.{0,200}\b(?:in)?to\b|recipe for)\b/iu;
const ELSEWHERE_WORDS: ReadonlySet<string> = new Set(
  'joke poem story song essay haiku limerick weather recipe translate'.split(' '),
);

/** Letters at random, courtesies alone, or a wish that is none for a database: everything else passes. */
export function checkQuestion(text: string, { isKnownWord }: QuestionCheck = {}): CheckedQuestion {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  if (!/[\p{L}\p{N}]/u.test(text)) return { validity: 'meaningless', because: 'There are no words in it.' };
  const lower = words.map((word) => word.toLowerCase());
  const isKnown = (word: string): boolean => isKnownWord?.(word) === true;
  if (isGibberish(text, words) && !lower.some(isKnown))
    return { validity: 'gibberish', because: 'These look like letters at random.' };
  const isCourtesy = lower.length > 0 && lower.every((word) => COURTESIES.has(word));
  if (isCourtesy && !/\p{N}/u.test(text) && lower.some((word) => GREETINGS.test(word)))
    return { validity: 'meaningless', because: 'It asks for nothing: say which figures or rows you want.' };
  if (
    isKnownWord !== undefined &&
    ELSEWHERE.test(text) &&
    !lower.some((word) => ELSEWHERE_WORDS.has(word) && isKnown(word))
  )
    return { validity: 'out-of-scope', because: 'It is not about what this database holds.' };
  return OK;
}

/** Every word is one that nobody would write, and none is of a language; names, codes and quoted texts are left alone. */
function isGibberish(text: string, words: readonly string[]): boolean {
  if (words.length === 0 || /[\p{N}"“'‘`]/u.test(text)) return false;
  return words.every(isRandom) && detectLanguage(text, 'en') === 'und';
}

const KEYBOARD_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm', 'azertyuiop'];
const FEWEST_LETTERS = 5;

/** Five or more Latin letters without a vowel, with six consonants in a row, along the keyboard, or over and over. */
function isRandom(word: string): boolean {
  const lower = word.toLowerCase();
  if (lower.length < FEWEST_LETTERS || word === word.toUpperCase() || !/^\p{Script=Latin}+$/u.test(lower))
    return false;
  const plain = lower.normalize('NFD').replace(/\p{M}/gu, '');
  if (!/[aeiouy]/.test(plain) || /[^aeiouy]{6}/.test(plain)) return true;
  return (
    /^(.{1,3})\1{2,}.?$/.test(plain) ||
    KEYBOARD_ROWS.some((row) => row.includes(plain.slice(0, FEWEST_LETTERS)))
  );
}

// The language of a short question, without a model and without a download.

/** What a foreign language needs more than the language of the database, and at least. */
const LEAD = 0.5;
const LEAST = 1;
const LETTER_WEIGHT = 0.5;
const QUOTED = /"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|`[^`\n]*`|(?<![\p{L}\p{N}])['‘][^'’\n]*['’](?![\p{L}\p{N}])/gu;
const LATIN = /\p{Script=Latin}/u;

const WORDS: ReadonlyMap<string, readonly string[]> = languagesByWord();

/**
 * ISO 639-1, or `und` where the words do not tell: `detectLanguage('Umsatz pro Monat', 'en')` → `de`. Texts in quotes do
 * not count, and in doubt it is the language of the database: names of other languages stand in questions of any.
 */
export function detectLanguage(question: string, databaseLanguage: string): string {
  const text = question.replace(QUOTED, ' ').normalize('NFC');
  const letters = text.match(/\p{L}/gu) ?? [];
  const foreign = letters.filter((letter) => !LATIN.test(letter));
  if (foreign.length * 2 > letters.length) {
    const script = foreign.join('');
    return LANGUAGE_SCRIPTS.find(([, form]) => form.test(script))?.[0] ?? 'und';
  }
  const scores = scoreWords(text);
  const own = scores.get(databaseLanguage) ?? 0;
  const [best] = [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  if (best === undefined || best[1] < LEAST) return own > 0 ? databaseLanguage : 'und';
  return best[1] >= own + LEAD ? best[0] : databaseLanguage;
}

/** Each word counts one, shared among the languages that have it. */
function scoreWords(text: string): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  const add = (language: string, score: number): void => {
    scores.set(language, (scores.get(language) ?? 0) + score);
  };
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  for (const word of words) {
    const languages = WORDS.get(word) ?? [];
    for (const language of languages) add(language, 1 / languages.length);
  }
  for (const [language, letters] of LANGUAGE_LETTERS)
    if (letters.test(text.toLowerCase())) add(language, LETTER_WEIGHT);
  return scores;
}

function languagesByWord(): Map<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [language, text] of [
    ...Object.entries(LANGUAGE_STOP_WORDS),
    ...Object.entries(LANGUAGE_ASKED_WORDS),
  ])
    for (const word of text.split(/\s+/)) found.set(word, [...(found.get(word) ?? []), language]);
  return found;
}
