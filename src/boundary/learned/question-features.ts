/** What is looked at in a question to tell whether it can be answered here. */

const STOP = 'START';
const END = 'END';
/** Longer runs of words are seldom said twice. */
const LONGEST = 4;

/**
 * Runs of one to four words, pairs of words with a gap between, and the first words of the question. Numbers and quoted
 * texts are masked, and so is every word that `isCommon` does not know: a name or a value, which says nothing about the
 * kind of question.
 */
export function questionFeatures(question: string, isCommon: (word: string) => boolean): string[] {
  const words = [STOP, ...maskedWords(question, isCommon), END];
  const features = new Set<string>();
  for (let at = 0; at < words.length; at++) {
    for (let length = 1; length <= LONGEST && at + length <= words.length; length++)
      features.add(words.slice(at, at + length).join(' '));
    for (let gap = 2; gap <= 3 && at + gap < words.length; gap++)
      features.add(`${words[at]} … ${words[at + gap]}`);
  }
  return [...features];
}

/** The words in lower case, with what only names something masked; several masked words in a row are one. */
export function maskedWords(question: string, isCommon: (word: string) => boolean): string[] {
  const text = question
    .normalize('NFKC')
    .toLowerCase()
    .replace(/"[^"]*"|“[^”]*”|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu, ' NAME ')
    .replace(/[’']/g, '');
  const words = text.match(/[\p{L}]+|[\p{N}][\p{N}.,:/-]*/gu) ?? [];
  const masked = words.map((word) => {
    if (/^\p{N}/u.test(word)) return 'NUMBER';
    return word === 'NAME' || !isCommon(word) ? 'NAME' : word;
  });
  return masked.filter((word, at) => word !== masked[at - 1] || !/^(?:NAME|NUMBER)$/.test(word));
}
