/** The parts of a question that may be stored values, without a model: what is quoted, words, and runs of words. */

const MAX_RUN_WORDS = 5;
/** Words that begin or end no name of a thing; a run of nothing else is no keyword. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been by did do does for from had has have how i in is it its list me many much of on or ' +
    'please show tell than that the their them there these they this those to was were what when where which who ' +
    'whose why will with would'
  ).split(' '),
);
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
        if (isStopWord(run[0]) || isStopWord(run.at(-1))) continue;
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

function isStopWord(word: string | undefined): boolean {
  return word === undefined || STOP_WORDS.has(word.toLowerCase());
}
