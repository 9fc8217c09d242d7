const QUOTED =
  /"([^"\n]{1,200})"|“([^”\n]{1,200})”|«\s?([^»\n]{1,200}?)\s?»|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu;
/** Words with a digit in them: `2024`, `K-12`, `1.5`, `SKU-00317`. */
const WITH_DIGIT = /[\p{L}\p{N}](?:[\p{L}\p{N}._/-]*[\p{L}\p{N}])?/gu;
const MOST = 40;

/** What people wrote letter by letter: quoted texts, and words with digits. */
export function literalsOf(question: string): readonly string[] {
  const quoted = [...question.matchAll(QUOTED)].map(([, ...groups]) => groups.find(Boolean) ?? '');
  const outside = question.replace(QUOTED, ' ');
  const coded = (outside.match(WITH_DIGIT) ?? []).filter((word) => /\p{N}/u.test(word));
  return [...new Set([...quoted, ...coded])].filter((literal) => literal !== '').slice(0, MOST);
}

/**
 * The first quoted text or number of a question that another form of it has lost. Numbers are compared by their runs of
 * digits: `1.000` may become `1,000`, and `1990er` the `1990s`.
 */
export function lostLiteral(question: string, other: string): string | undefined {
  return literalsOf(question)
    .flatMap((literal) => (isQuotedIn(question, literal) ? [literal] : (literal.match(/[0-9]+/g) ?? [])))
    .find((literal) => !other.includes(literal));
}

function isQuotedIn(question: string, literal: string): boolean {
  return [...question.matchAll(QUOTED)].some((match) => match.includes(literal, 1));
}
