import { lemmaOf } from '../read/lemma.ts';
import type { Token } from '../read/tokenise.ts';
import { relatedWords } from '../vocabulary/index.ts';
import type { ValueMatch } from './mention.ts';

/**
 * "passed" where a result is stored as 'Pass', "won" where it is 'Win', "cancelled" where a status is 'Cancel': how something ended is
 * said by a verb and stored as its base form. Only columns that hold outcomes are looked at; elsewhere such a word is a name.
 */
export function outcomeValues(
  token: Token,
  lookupValue: (text: string) => readonly ValueMatch[],
): readonly ValueMatch[] {
  if (token.text !== token.lower || !isDone(token)) return [];
  return basesOf(token.lower).flatMap((base) =>
    lookupValue(base)
      .filter(
        ({ columnId, value, score }) => score >= STORED && isBase(base, value) && OUTCOME.test(columnId),
      )
      .map((value) => ({ ...value, score: AS_VERB, why: `“${token.text}” as it is stored` })),
  );
}

/** A participle that the lexicon of values does not hold as it is. */
function isDone({ lower, lemma }: Token): boolean {
  return /\w{2}ed$/.test(lower) || (lemma !== lower && /^(?:won|lost|sent|sold|paid|held)$/.test(lower));
}

function basesOf(lower: string): readonly string[] {
  const inflected = relatedWords(lower).flatMap(({ word, why }) => (why === 'inflection' ? word : []));
  return [...new Set([lemmaOf(lower), ...inflected])].filter((word) => word !== lower);
}

function isBase(base: string, value: ValueMatch['value']): boolean {
  return String(value).toLowerCase() === base;
}

/** What a column of outcomes is called; its id ends with its name. */
const OUTCOME = /(?:result|outcome|status|decision|state|verdict|grade)(?:_?code)?$/i;

/** The same letters, whatever their case. */
const STORED = 0.75;
/** Below what is stored as it is written. */
const AS_VERB = 0.74;
