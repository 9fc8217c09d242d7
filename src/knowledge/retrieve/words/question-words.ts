/** The words of a text that can find something: without stop words, in the forms that names and texts share. */
import { isStopWord } from '../../../language/index.ts';

/** A question beyond this is a document; its first words say what is asked. */
const MAX_CHARACTERS = 4_000;
const MAX_WORDS = 150;

/** Lower-case words of letters and digits, stop words and single letters left out, each once, in order. */
export function contentWords(text: string): readonly string[] {
  const words = wordsOf(text).filter((word) => word.length > 1 && !isStopWord(word, 'question'));
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

const MAX_KEYWORDS = 40;
const MAX_LENGTH = 200;

/** `'Los Angeles'`, `"EV"`, `“Déjà vu”`; a ' counts where no letter stands before it: not that of `John's`. */
const QUOTED =
  /"([^"\n]{1,200})"|“([^”\n]{1,200})”|‘([^’\n]{1,200})’|`([^`\n]{1,200})`|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu;
/** A number with its unit or sign: `$1,200.50`, `20 %`, `5 km`. */
const NUMBER =
  /[$€£¥]?\p{N}[\p{N},.]*(?:\s?(?:%|°[CF]?|km²?|kg|mm|cm|mb|gb|kwh|mph|usd|eur|gbp|years?|months?|weeks?|days?|hours?|minutes?|m|g))?(?![\p{L}\p{N}])/giu;
/** `Central Park`, `Bank of America`: words with a capital, small joining words between them. */
const CAPITALS =
  /\p{Lu}[\p{L}\p{N}&.'’-]*(?:\s+(?:(?:of|the|de|la|du|von|van|&)\s+)*\p{Lu}[\p{L}\p{N}&.'’-]*)*/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_'’-]*/gu;
/** A longer run of plain words is a clause, not a name. */
const MAX_RUN = 3;

/**
 * Words to look up when no model has chosen any: quoted texts as they are, numbers with their units, runs of capitals,
 * runs of words between stop words, and their single words; 40 at most. Source: ThothAI, sections 4 and 16.
 */
export function fallbackKeywords(question: string): readonly string[] {
  const text = question.slice(0, 4_000);
  const found = [
    ...matches(text, QUOTED),
    ...matches(text, NUMBER),
    ...matches(text, CAPITALS).map(withoutFirstStopWord),
    ...wordRuns(text),
  ];
  const kept = new Map<string, string>();
  for (const each of found) {
    const keyword = each
      .trim()
      .replace(/[.,;:!?'’-]+$/u, '')
      .slice(0, MAX_LENGTH);
    const key = keyword.toLowerCase();
    if (keyword !== '' && !isStopWord(key, 'question') && !kept.has(key)) kept.set(key, keyword);
  }
  return [...kept.values()].slice(0, MAX_KEYWORDS);
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([whole, ...groups]) => groups.find(Boolean) ?? whole);
}

/** A sentence begins with a capital: `Which Bank of America` names the bank. */
function withoutFirstStopWord(run: string): string {
  const [first = '', ...rest] = run.split(/\s+/);
  return isStopWord(first.toLowerCase(), 'question') ? rest.join(' ') : run;
}

/** Runs of two or three words with no stop word or punctuation between them, then every word alone. */
function wordRuns(text: string): string[] {
  const singles: string[] = [];
  const runs: string[] = [];
  for (const clause of text.split(/[^\p{L}\p{N}\s_'’-]+/u)) {
    let run: string[] = [];
    for (const word of [...(clause.match(WORD) ?? []), 'the']) {
      if (!isStopWord(word.toLowerCase(), 'question')) {
        run.push(word);
        singles.push(word);
        continue;
      }
      if (run.length > 1 && run.length <= MAX_RUN) runs.push(run.join(' '));
      run = [];
    }
  }
  return [...runs, ...singles];
}
