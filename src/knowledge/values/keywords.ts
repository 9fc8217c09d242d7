/** The parts of a question that may be stored values, without a model: what is quoted, words, and runs of words. */
import { isStopWord } from '../../language/index.ts';

const MAX_RUN_WORDS = 5;
const QUOTED =
  /"([^"]+)"|“([^”]+)”|`([^`]+)`|(?<![\p{L}\p{N}])['‘]([^'’]+(?:['’][^'’\s][^'’]*)*)['’](?![\p{L}\p{N}])/gu;

/**
 * Keywords of a text, longest runs last: `keywordsOf("Songs of 'AC/DC' in New York")` has `AC/DC`, `New`, `York`,
 * `New York`, … Runs end at punctuation.
 */
export function keywordsOf(text: string): string[] {
  const quoted = [...text.matchAll(QUOTED)].map(
    (match) => match.slice(1).find((part) => part !== undefined) ?? '',
  );
  const clauses = text.split(/[,;:!?()[\]{}"“”`=<>]+|\.(?=\s|$)/u).map(wordsOf);
  const runs: string[] = [];
  for (let length = 1; length <= MAX_RUN_WORDS; length += 1) {
    for (const words of clauses) {
      for (let from = 0; from + length <= words.length; from += 1) {
        const run = words.slice(from, from + length);
        if (namesNothing(run[0]) || namesNothing(run.at(-1))) continue;
        runs.push(run.join(' '));
      }
    }
  }
  return [
    ...new Set([...quoted, ...runs].map((keyword) => keyword.trim()).filter((keyword) => keyword !== '')),
  ];
}

function wordsOf(clause: string): string[] {
  return clause
    .split(/\s+/u)
    .map((word) => word.replace(/^['‘’]+|['‘’]+$/gu, ''))
    .filter((word) => word !== '');
}

function namesNothing(word: string | undefined): boolean {
  return word === undefined || isStopWord(word.toLowerCase(), 'value');
}
