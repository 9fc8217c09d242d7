import { foldValue, type ValueIndex } from '../../knowledge/index.ts';
import type { GroundedKnowledge } from '../../reasoning/index.ts';
import { editDistance } from '../../sql/index.ts';
import type { Likeness, NearName } from './near-name.ts';
import { shownColumn } from './shown-names.ts';

/** One slip of the pen in so many letters. */
const LETTERS_OF_A_SLIP = 5;
const SHORTEST = 4;
const MOST_SIMILAR = 20;
const MOST_CONTAINING = 20;
/** What is longer is a sentence or a list. */
const LONGEST_NAME = 60;
/** The words themselves, whatever their case and accents; below it another form of them. */
const ITSELF = 0.96;

/** Stored values that are the words, are written like them, or have them among their own. */
export function searchValues(
  text: string,
  { knowledge, values }: { readonly knowledge: GroundedKnowledge; readonly values: ValueIndex },
): readonly NearName[] {
  const named = (columnId: string, value: string | number, how: Likeness): NearName => ({
    ...{ text: String(value), shown: String(value), how },
    what: `a value of ${shownColumn(columnId, knowledge.catalog)}`,
  });
  const stored = knowledge
    .lookupValue(text)
    .map(({ columnId, value, score, why }) =>
      named(columnId, value, why.startsWith('“') ? 'synonym' : score >= ITSELF ? 'same' : 'plural'),
    );
  const literal = values.lookupLiteral(text).map(({ columnId, value }) => named(columnId, value, 'same'));
  const spelt = values
    .similar(text, { limit: MOST_SIMILAR })
    .filter(({ value }) => isOtherSpelling(text, value))
    .map(({ columnId, value }) => named(columnId, value, 'spelling'));
  const within = values
    .containing(text, { limit: MOST_CONTAINING })
    .filter(({ value }, at) => at === 0 || value.length <= LONGEST_NAME)
    .map(({ columnId, value }) => named(columnId, value, 'part'));
  const codes = searchCodes(text, values).map(({ columnId, value }) => named(columnId, value, 'part'));
  return [...stored, ...literal, ...spelt, ...within, ...codes];
}

/** “Germny” for “Germany”: a slip in five letters at most, and the first one is the same. */
export function isOtherSpelling(text: string, name: string): boolean {
  const [word, other] = [foldValue(text), foldValue(name)];
  if (word.length < SHORTEST || word[0] !== other[0]) return false;
  const slips = Math.max(1, Math.floor(word.length / LETTERS_OF_A_SLIP));
  return Math.abs(word.length - other.length) <= slips && editDistance(word, other) <= slips;
}

/** Codes that are the beginning of the word: `EXP` for “express”. */
function searchCodes(text: string, values: ValueIndex): ReturnType<ValueIndex['lookup']> {
  if (!/^\p{L}+$/u.test(text)) return [];
  const beginnings = [3, 4].filter((length) => length < text.length).map((length) => text.slice(0, length));
  return beginnings
    .flatMap((beginning) => values.lookup(beginning.toUpperCase()))
    .filter(({ value }) => value === value.toUpperCase() && value.length <= 4);
}
