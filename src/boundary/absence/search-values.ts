import { editRatio, foldValue, type ValueIndex } from '../../knowledge/index.ts';
import type { GroundedKnowledge } from '../../reasoning/index.ts';
import type { Likeness, NearName } from './near-name.ts';
import { shownColumn } from './shown-names.ts';

/** Spellings of one word share this much of their letters. */
const SAME_WORD = 0.8;
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
  return [...stored, ...literal, ...spelt, ...within];
}

/** “Germny” for “Germany”: most letters are the same, and the first one is. */
export function isOtherSpelling(text: string, name: string): boolean {
  const [word, other] = [foldValue(text), foldValue(name)];
  if (word.length < SHORTEST || word[0] !== other[0]) return false;
  return editRatio(other, word) >= SAME_WORD;
}
