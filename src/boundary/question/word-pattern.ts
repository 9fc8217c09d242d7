import { wholeWords } from '../../language/index.ts';

/** Finds a term of the semantic model in this text as whole words, whatever its case; blanks and underscores are one. */
export function wordPattern(term: string, text: string, flags = 'iu'): RegExp {
  return wholeWords(quoted(term), flags, text);
}

/** The same, and its plural too. */
export function inflectedPattern(term: string, text: string): RegExp {
  const ending = /[^aeiou]y$/i.test(term)
    ? `${quoted(term.slice(0, -1))}(?:y|ies)`
    : `${quoted(term)}(?:e?s)?`;
  return wholeWords(ending, 'iu', text);
}

/** The question with other words where the term stands, whatever its case; undefined where it does not stand there. */
export function replaceWords(question: string, term: string, words: string): string | undefined {
  const found = wordPattern(term, question).exec(question);
  if (found === null) return undefined;
  return question.slice(0, found.index) + words + question.slice(found.index + found[0].length);
}

/** The term as part of a pattern. */
export function quoted(term: string): string {
  return term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\s_]+/g, '[\\s_]+');
}
