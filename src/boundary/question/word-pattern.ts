/** Finds a term of the semantic model as whole words, whatever its case; blanks and underscores are one. */
export function wordPattern(term: string, flags = 'iu'): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${quoted(term)}(?![\\p{L}\\p{N}])`, flags);
}

/** The same, and its plural too. */
export function inflectedPattern(term: string, flags = 'iu'): RegExp {
  const ending = /[^aeiou]y$/i.test(term)
    ? `${quoted(term.slice(0, -1))}(?:y|ies)`
    : `${quoted(term)}(?:e?s)?`;
  return new RegExp(`(?<![\\p{L}\\p{N}])${ending}(?![\\p{L}\\p{N}])`, flags);
}

/** The question with other words where the term stands, whatever its case; undefined where it does not stand there. */
export function replaceWords(question: string, term: string, words: string): string | undefined {
  const found = wordPattern(term).exec(question);
  if (found === null) return undefined;
  return question.slice(0, found.index) + words + question.slice(found.index + found[0].length);
}

/** The term as part of a pattern. */
export function quoted(term: string): string {
  return term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\s_]+/g, '[\\s_]+');
}
