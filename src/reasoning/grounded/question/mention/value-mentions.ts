/** How much words of a question weigh as names of stored values. */

import { lemmaOf } from '../../../../language/index.ts';
import type { Token } from '../read/tokenise.ts';
import { relatedWords } from '../vocabulary/index.ts';
import type { ValueMatch } from './mention.ts';
import type { NameIndex } from './name-index.ts';

/** Lower-case single words are weak evidence of a value: "name" is rarely meant as the stored word. */
export function weighValues(
  values: readonly ValueMatch[],
  span: readonly Token[],
  index: number,
): ValueMatch[] {
  const first = span[0];
  const isCapital = span.some((token, at) => /^\p{Lu}|\d/u.test(token.text) && (at > 0 || index > 0));
  const factor =
    first?.kind === 'quoted' ? 1.1 : isCapital ? 1.05 : span.length > 1 ? 0.95 : isLoose(first) ? 0.2 : 0.82;
  const isNumber = span.length === 1 && first?.kind === 'number';
  return values
    .map((value) => ({ ...value, score: value.score * (isNumber ? 0.6 : factor) }))
    .sort((a, b) => b.score - a.score || a.columnId.localeCompare(b.columnId));
}

const LOOSE = new Set(
  'the of a an for in on at to by with from and or is are be was were all each what which who that their its his her there do does did how me show list find give have has it as'.split(
    ' ',
  ),
);

/** A word that no name begins or ends with. */
export function isLoose(token: Token | undefined): boolean {
  return token === undefined || LOOSE.has(token.lower);
}

/** Words that hold a sentence together; codes such as IN, ME, OR, ON, HI and names such as Other are spelt like them. */
const FUNCTION_WORDS = new Set(
  `a about above across after against ago all already also am among an and any are around as at be because been before being below
  between both but by can could did do does done down during each either else ever every few for from had has have he hello her here
  hey hi him his how i if in into is it its just last least less like many may me might mine more most much must my near neither never
  next no none nor not now of off ok on once one only onto or other others our out over own per please same shall she should since so
  some such than thanks that the their them then there these they this those through till to together too under until up upon us very
  via day days week weeks month months year years hour hours minute minutes quarter quarters was we were what when where which while who whom whose why will with within without would yes yet you your`.split(
    /\s+/,
  ),
);

/**
 * What a function word stands for as a stored value: nothing, unless capitals or quotes mark it, or the name of its column stands
 * right before it and the sentence ends there ("the state in", "carrier other"). Other words and phrases keep what they may stand for.
 */
export function withoutFunctionWords(
  values: readonly ValueMatch[],
  tokens: readonly Token[],
  from: number,
  length: number,
  names: NameIndex,
): readonly ValueMatch[] {
  const [word, before, after] = [tokens[from], tokens[from - 1], tokens[from + length]];
  if (word === undefined) return values;
  if (length === 1 && isVerbPlace(word, before, after))
    return values.filter(({ value }) => value === word.text);
  if (!isFunctionWord(tokens, from, length)) return values;
  if (isMarked(word, from, tokens)) return values;
  const ends = after === undefined || after.kind === 'stop' || after.kind === 'comma';
  const lead = before?.kind === 'word' && ends ? names.match([before.lower]) : [];
  return values.filter(({ columnId, tableId }) =>
    lead.some(({ kind, id, tableId: of }) => id === columnId || (kind === 'dimension' && of === tableId)),
  );
}

/** "tracks that belong to", "airports that run": between "that" and the rest, and before "to", stands a verb, whoever is called so. */
function isVerbPlace(word: Token, before: Token | undefined, after: Token | undefined): boolean {
  if (word.kind !== 'word' || word.text !== word.lower) return false;
  const isRelative = before?.kind === 'word' && /^(?:that|who|which)$/.test(before.lower);
  const isTied = /^belong(?:s|ed|ing)?$/.test(word.lower) && after?.lower === 'to';
  return isRelative || isTied;
}

export function isFunctionWord(tokens: readonly Token[], from: number, length: number): boolean {
  const word = tokens[from];
  return length === 1 && word?.kind === 'word' && FUNCTION_WORDS.has(word.lower);
}

/** In capitals among words that are not, or with one where no sentence begins. */
function isMarked({ text, lower }: Token, from: number, tokens: readonly Token[]): boolean {
  if (text === lower) return false;
  const isShouted = tokens.every((token) => token.kind !== 'word' || token.text === token.text.toUpperCase());
  if (isShouted) return false;
  if (text.length > 1 && text === text.toUpperCase()) return true;
  return from > 0 && tokens[from - 1]?.kind !== 'stop';
}

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
