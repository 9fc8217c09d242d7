import { lemmaOf } from '../read/lemma.ts';
import { splitName } from '../read/split-name.ts';
import type { Token } from '../read/tokenise.ts';
import type { NameIndex } from './name-index.ts';

const WELL_NAMED = 0.85;

/** "papers cite", "author written": two tables, and the second is what the first does or has done. */
export function isSentence(span: readonly Token[], names: NameIndex): boolean {
  const [first, last, third] = span;
  if (first === undefined || last === undefined || third !== undefined) return false;
  if (isNameOnlyByStem([first, last], names)) return true;
  const isPlural = first.lower !== first.lemma && last.lower === last.lemma;
  if (!isPlural && !/(?:ed|en|wn)$/.test(last.lower)) return false;
  return [first, last].every(({ lower }) => {
    const [noun] = names.match([lower]);
    return noun?.kind === 'table' && noun.score >= WELL_NAMED;
  });
}

/** "customers ordered", "enzyme interacts": `customer_orders` is called like them, but what the customers did is no part of a name. */
function isNameOnlyByStem([first, last]: readonly [Token, Token], names: NameIndex): boolean {
  if (!/(?:ed|[^s]s)$/.test(last.lower)) return false;
  const [own] = names.match([first.lower]);
  const [both] = names.match([first.lower, last.lower]);
  if (own?.kind !== 'table' || own.score < WELL_NAMED || both?.kind !== 'table' || both.id === own.id)
    return false;
  const words = splitName(both.id.slice(both.id.lastIndexOf('.') + 1));
  return words.every((word) => word !== last.lower && lemmaOf(word) !== last.lemma);
}
