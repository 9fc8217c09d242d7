/** Words side by side that make a sentence rather than a name. */
import { lemmaOf, splitName } from '../../../../language/index.ts';
import { timeGrain } from '../read/calendar.ts';
import type { Token } from '../read/tokenise.ts';
import { isMostlyVerb } from '../vocabulary/index.ts';
import type { NameIndex } from './name-index.ts';

/** "province the number", "weekly number of": words of two things, or of a thing and its count. */
export function isAcross(span: readonly Token[], next: Token | undefined): boolean {
  const isSplit = span.some(
    ({ lower }, at) => lower === 'the' && !/^(?:of|in|on|for|at|by|to|with)$/.test(span[at - 1]?.lower ?? ''),
  );
  // "courses have a final project": what has and what is had.
  if (span.some(({ lower }, at) => at > 0 && /^(?:have|has|had)$/.test(lower))) return true;
  // "the number of courses" counts them, whatever column is called number.
  const last = span.at(-1);
  const isOfMany = last !== undefined && last.lower !== last.lemma && span[1]?.lower === 'of';
  if (isOfMany && span[0]?.lower === 'number') return true;
  const isCount = span.at(-1)?.lower === 'number' && next?.lower === 'of';
  return isSplit || (isCount && timeGrain(span[0]?.lower ?? '') !== undefined);
}

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

/** Verbs that say how two things belong together; the schema's keys say it too. */
const RELATIONS = new Set(
  'belong appear play star live work own contain cost rent sell buy order teach study attend visit perform produce direct publish win lead speak use make have spend earn pay hold serve offer cover join sign report receive bring come go run look see saw reach achieve generate attract contribute'.split(
    ' ',
  ),
);

const PARTICIPLES = new Set(
  'taken given written driven spoken chosen broken fallen known shown grown drawn born held sold bought paid spent sent made built kept left met led won lost taught caught thought sung run come gone'.split(
    ' ',
  ),
);

/** Whether a verb in its base form is one of those that say no more than that two things belong together. */
export function isRelationVerb(lemma: string): boolean {
  return RELATIONS.has(lemma);
}

/** "the churn rate": a word that is mostly a verb is a noun behind these. */
const BEFORE_NOUNS = /^(?:the|an?|our|your|their|its|his|her|of|per|each|every)$/;

/** Whether a word that names nothing reads like a verb: by itself, or by the word before it. */
export function isVerbLike(token: Token | undefined, before: Token | undefined): boolean {
  if (token === undefined || token.kind !== 'word' || token.lower.includes('-')) return false;
  if (
    RELATIONS.has(token.lemma) ||
    (isMostlyVerb(token.lower) && !BEFORE_NOUNS.test(before?.lower ?? '')) ||
    /(ed|ing)$/.test(token.lower) ||
    PARTICIPLES.has(token.lower)
  )
    return true;
  return (
    before !== undefined &&
    /^(that|who|which|do|does|did|have|has|had|to|not|never|they|we|he|she|it)$/.test(before.lower)
  );
}
