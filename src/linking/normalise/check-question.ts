/** What can be told without a model about whether a text is a question at all. In doubt it is one. */
import type { QuestionValidity } from '../../reasoning/index.ts';
import { detectLanguage } from './detect-language.ts';

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
