/** Tables that a question calls by their name, wherever they lie. */
import type { Session } from '../session.ts';

/** More would be words that name many tables. */
const MOST_NAMED = 3;
const SHORT = 3;

/**
 * Ids of tables out of view that the words of a question name, or what people call them; none where a table in view is called so, too. Of
 * the catalog of whoever asks: what they may not see is not found.
 */
export function namedOutOfView(
  question: string,
  { catalog, semantics }: Pick<Session, 'catalog' | 'semantics'>,
  inView: ReadonlySet<string>,
): readonly string[] {
  const asked = ` ${folded(question)} `;
  const said = new Map(semantics.datasets.map(({ table, name, synonyms }) => [table, [name, ...synonyms]]));
  const named = catalog.tables.flatMap(({ id, name }) =>
    [name, ...(said.get(id) ?? [])]
      .map(folded)
      .filter((one) => one.length >= SHORT && asked.includes(` ${one} `))
      .map((one) => ({ id, name: one })),
  );
  const known = new Set(named.flatMap(({ id, name }) => (inView.has(id) ? [name] : [])));
  const outside = named.filter(({ id, name }) => !inView.has(id) && !known.has(name));
  return [...new Set(outside.map(({ id }) => id))].slice(0, MOST_NAMED);
}

/** In lower case, one blank between words, without the s of a plural. */
function folded(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.replace(/(?<=\p{L}{2})s$/u, '')).join(' ');
}
