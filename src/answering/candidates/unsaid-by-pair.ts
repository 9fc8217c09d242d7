/** Whether a verified pair that a model names for a question can be its answer: a person has vouched for that one question alone. */

import type { VerifiedPair } from '../../knowledge/authored/index.ts';
import { withoutQuotes } from '../../sql/dialects/index.ts';

/**
 * What only one of both says: a number of the question that neither the pair's question nor its query has. Where the model
 * was shown the pair without its literals, it cannot know them: those of the pair's question have to be in this one. Undefined:
 * nothing speaks against it.
 */
export function unsaidByPair(
  question: string,
  { question: verified, sql }: Pick<VerifiedPair, 'question' | 'sql'>,
  { isPrivate }: { readonly isPrivate: boolean },
): string | undefined {
  const known = numbersIn(`${verified} ${sql}`);
  const other = numbersIn(question).find((number) => !known.includes(number));
  if (other !== undefined) return `it does not say ${other}`;
  if (!isPrivate) return undefined;
  const folded = question.toLowerCase();
  const isLost = literalsIn(sql).some(
    (literal) => verified.toLowerCase().includes(literal) && !folded.includes(literal),
  );
  return isLost ? 'it is about another value' : undefined;
}

/** As values: `01` is `1`, and `2024-01-01` are three. */
function numbersIn(text: string): readonly string[] {
  return (text.match(/\d+/g) ?? []).map((digits) => digits.replace(/^0+(?=\d)/, ''));
}

function literalsIn(sql: string): readonly string[] {
  const texts = (sql.match(/'(?:[^']|'')*'/g) ?? []).map(withoutQuotes);
  return [...texts.map((text) => text.replaceAll('%', '').trim()), ...(sql.match(/\b\d{2,}\b/g) ?? [])]
    .filter((text) => text.length > 1)
    .map((text) => text.toLowerCase());
}
