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

/** The term as part of a pattern. */
export function quoted(term: string): string {
  return term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\s_]+/g, '[\\s_]+');
}
