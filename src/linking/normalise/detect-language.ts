/** The language of a short question, without a model and without a download. */
import { ASKED_WORDS, LANGUAGE_LETTERS, LANGUAGE_SCRIPTS, STOP_WORDS } from './language-words.ts';

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
  for (const [language, text] of [...Object.entries(STOP_WORDS), ...Object.entries(ASKED_WORDS)])
    for (const word of text.split(/\s+/)) found.set(word, [...(found.get(word) ?? []), language]);
  return found;
}
