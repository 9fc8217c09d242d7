/** Which words of a question are looked up. */
import { LANGUAGE_STOP_WORDS } from '../../language/index.ts';

const MAX_KEYWORDS = 40;
const MAX_LENGTH = 200;
const QUOTED =
  /"([^"\n]{1,200})"|“([^”\n]{1,200})”|«\s?([^»\n]{1,200}?)\s?»|‘([^’\n]{1,200})’|`([^`\n]{1,200})`|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu;
/** `K-12`, `AB_77`, `US`: letters with digits, or capitals only. */
const CODE =
  /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}_-]*\p{Lu})(?:[\p{L}_-]*\p{N}[\p{L}\p{N}_-]*|\p{Lu}{2,}(?:-\p{Lu}+)*)(?![\p{L}\p{N}])/gu;

const stopWords = new Map<string, ReadonlySet<string>>(
  Object.entries(LANGUAGE_STOP_WORDS).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
);

/** Texts in quotes: they are meant as they are written. */
export function quotedTexts(question: string): readonly string[] {
  const found = [...question.matchAll(QUOTED)].map(([, ...groups]) => groups.find(Boolean)?.trim() ?? '');
  return [...new Set(found)].filter((text) => text !== '');
}

/**
 * Keywords as a model or a rule gave them, trimmed, without empty ones and pure stop words, each once whatever its case,
 * 40 at most; quoted texts and codes of the question that are missing come first, verbatim. `column = value` is one
 * keyword. Source: ThothAI, section 4.
 */
export function chooseKeywords(
  given: readonly string[],
  question: string,
  languages: readonly string[],
): readonly string[] {
  const literals = [...quotedTexts(question), ...(isShouted(question) ? [] : (question.match(CODE) ?? []))];
  const cleaned = given
    .slice(0, 10 * MAX_KEYWORDS)
    .map((keyword) => keyword.trim().slice(0, MAX_LENGTH).trim());
  const known = new Set(cleaned.map((keyword) => keyword.toLowerCase()));
  const missing = literals.filter((literal) => !known.has(literal.toLowerCase()));
  const kept = new Map<string, string>();
  for (const keyword of [...missing, ...cleaned]) {
    const key = keyword.toLowerCase();
    if (/[\p{L}\p{N}]/u.test(keyword) && !kept.has(key) && !isStop(keyword, languages))
      kept.set(key, keyword);
  }
  return [...kept.values()].slice(0, MAX_KEYWORDS);
}

/** `us` is a stop word, `US` is none; a phrase of stop words is one. */
function isStop(keyword: string, languages: readonly string[]): boolean {
  if (keyword.length > 1 && keyword === keyword.toUpperCase()) return false;
  const words = keyword.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.every((word) => languages.some((language) => stopWords.get(language)?.has(word)));
}

/** All in capitals: capitals then say nothing. */
function isShouted(question: string): boolean {
  return question === question.toUpperCase();
}
