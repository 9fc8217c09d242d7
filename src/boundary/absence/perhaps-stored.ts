import type { Column, Table } from '../../catalog/index.ts';
import { foldedWords, type ValueIndex } from '../../knowledge/index.ts';
import { isOnlyName, namesOfSame } from '../../reasoning/index.ts';
import type { AbsenceSources } from './absence-sources.ts';
import { soundOf } from './sounds-alike.ts';

/**
 * Whether some stored value may be meant by a name although it is not called so: it has half of it, sounds like it, or is a code that
 * may be short for it. What may be there is not said to be absent.
 */
export function isPerhapsStored(name: string, { knowledge, values }: AbsenceSources): boolean {
  const stored = values.words();
  if (stored === undefined) return true;
  return foldedWords(name).some((word) => {
    const isAlike = isOnlyName(word) ? alikeInFull(word) : alikeInPart(word);
    return [...stored, ...knowledge.names.vocabulary].some(isAlike) || hasCode(word, values);
  });
}

const SHORTEST_PART = 4;
const SHORTEST_SOUND = 2;
/** `bmw`: said by its letters, and called by a word that begins like them (“Beemer”). */
const LETTERS = /^[^aeiouy]{3,4}$/;

/** “Schumaker” is like “schumacher”, “Toyotas” like “toyota”: one slip leaves one half as it is. */
function alikeInPart(word: string): (other: string) => boolean {
  const half = Math.max(SHORTEST_PART, Math.ceil(word.length / 2));
  const [start, end, sound] = [word.slice(0, half), word.slice(-half), soundOf(word)];
  return (other) =>
    other.startsWith(start) ||
    other.endsWith(end) ||
    other.includes(word) ||
    (sound.length >= SHORTEST_SOUND && soundOf(other) === sound) ||
    (LETTERS.test(other) && sound.startsWith(soundOf(other.slice(0, 2))));
}

const MOST_CUT = 2;

/** The lexicon has it: it is spelt as it should be, but for its ending in another language. */
function alikeInFull(word: string): (other: string) => boolean {
  const start = word.slice(0, Math.max(SHORTEST_PART, word.length - MOST_CUT));
  return (other) => other.startsWith(start) || other.includes(word);
}

const MOST_NAMES = 6;
const LONGEST_CODE = 3;

/** `TX` of “Texas”, `SEA` of “Seattle”, `DE` of “Germany” for “Deutschland”. */
function hasCode(word: string, values: ValueIndex): boolean {
  const names = [word, ...namesOfSame(word).slice(0, MOST_NAMES)].filter((name) => !name.includes(' '));
  return names
    .flatMap((name) => codesOf(name.toUpperCase()))
    .some((code) => values.lookup(code).some(({ match }) => match === 'exact'));
}

/** Two or three letters of a word in their order, its first among them. */
function codesOf(word: string): readonly string[] {
  const codes = new Set<string>();
  const grow = (code: string, from: number): void => {
    if (code.length > 1) codes.add(code);
    if (code.length === LONGEST_CODE) return;
    for (let at = from; at < word.length; at += 1) grow(code + word[at], at + 1);
  };
  grow(word.slice(0, 1), 1);
  return [...codes];
}

/** Whether columns that were not looked through may have a name: prose, addresses where no column has the town, whatever is not text. */
export function mayBeUnread(name: string, { knowledge: { catalog }, values }: AbsenceSources): boolean {
  const indexed = values.columns();
  const isRead = ({ id, profile }: Column): boolean => {
    if (profile?.scannedRows === 0) return true;
    const known = indexed.get(id);
    return known !== undefined && known.kept >= known.distinct * NEARLY_ALL;
  };
  return catalog.tables.some((table) =>
    table.columns.some((column) => {
      if (column.family === 'other') return /json|array|xml|variant|struct|\[\]|^$/i.test(column.type);
      return column.family === 'text' && !isRead(column) && mayHave(name, column, table);
    }),
  );
}

/** The others are too long to be names. */
const NEARLY_ALL = 0.95;
const PLACE = /city|town|place|municipality|village/i;
const IN_ADDRESSES = /\p{N}|\b(?:street|road|avenue|lane|drive|square|boulevard|way|st|rd|ave|blvd)\b/iu;

function mayHave(name: string, { profile }: Column, { columns }: Table): boolean {
  switch (profile?.pii?.kind) {
    case 'email':
      return /[@.]/.test(name);
    case 'phone':
    case 'national-id':
    case 'bank-account':
    case 'payment-card':
    case 'ip-address':
    case 'birth-date':
      return false;
    case 'postal-address':
      return IN_ADDRESSES.test(name) || !columns.some((other) => PLACE.test(other.name));
    default:
      return true;
  }
}
