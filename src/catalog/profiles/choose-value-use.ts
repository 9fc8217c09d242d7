/** Which columns' values are kept, and what they are looked up for: one set of rules for every engine. */
import type { Column, TypeFamily } from '../schema/catalog.ts';

/**
 * `similar`: also found when they are typed otherwise; `exact`: but for case, accents, punctuation and a plural;
 * `literal`: numbers and dates; `none`: not kept.
 */
export type ValueUse = 'similar' | 'exact' | 'literal' | 'none';

export interface ValueChoice {
  readonly use: ValueUse;
  /** For people: `its name says _id`. */
  readonly because: string;
}

/** What the choice depends on. */
export interface ValueFacts {
  readonly column: Pick<Column, 'id' | 'name'>;
  readonly family: TypeFamily;
  readonly isPrimaryKey: boolean;
  /** The values look personal and are kept nowhere. */
  readonly isWithheld: boolean;
  /** Distinct values, counted or estimated. */
  readonly distinctCount: number;
  /** Characters of a value on average. */
  readonly meanLength: number;
}

/** Columns whose values a person wants found by likeness, or not; ids in lower case. */
export interface ValueLists {
  readonly include: ReadonlySet<string>;
  readonly exclude: ReadonlySet<string>;
}

export const NO_LISTS: ValueLists = { include: new Set(), exclude: new Set() };

/** Texts longer than this on average are prose, not names of things. */
export const PROSE_CHARS = 60;
/** Of a number or date column with more different values, one that is named is no sign of the column. */
export const MAX_LITERALS = 1_000;

/** Parts of names, in lower case (thoth.md, section 6.1: PostgreSQL adapter, CHESS). */
const SKIPPED_PARTS = ['_id', ' id', 'url', 'email', 'web', 'time', 'phone', 'date', 'address'];
const NAME_CHARS = 5_000_000;
const OTHER_CHARS = 2_000_000;
const OTHER_MEAN = 25;
const FEW_VALUES = 100;

/**
 * The published rules decide about similarity. What they skip (ids, dates, addresses as text) is still looked up
 * exactly: who asks for order `A-17` means that very order, and nothing like it.
 */
export function chooseValueUse(facts: ValueFacts, { include, exclude }: ValueLists = NO_LISTS): ValueChoice {
  const { column, family, isWithheld } = facts;
  if (isWithheld) return { use: 'none', because: 'its values look personal' };
  if (family === 'number' || family === 'time') return chooseLiterals(facts);
  if (family !== 'text') return { use: 'none', because: `its values are no texts but ${family}` };
  if (include.has(column.id)) return { use: 'similar', because: 'the settings include it' };
  if (facts.meanLength > PROSE_CHARS) return { use: 'none', because: 'its values are prose' };
  if (exclude.has(column.id)) return { use: 'exact', because: 'the settings exclude it' };
  const skipped = skipReason(facts);
  if (skipped !== undefined) return { use: 'exact', because: skipped };
  return chooseBySize(facts);
}

function chooseLiterals(facts: ValueFacts): ValueChoice {
  if (isKeyLike(facts)) return { use: 'none', because: 'it is a key' };
  const { family, distinctCount } = facts;
  const many = `${distinctCount.toLocaleString('en')} different ${family === 'time' ? 'dates' : 'numbers'}`;
  return { use: distinctCount <= MAX_LITERALS ? 'literal' : 'none', because: many };
}

/** Every number is some key: to meet one says nothing. */
export function isKeyLike({
  column: { name },
  isPrimaryKey,
}: Pick<ValueFacts, 'column' | 'isPrimaryKey'>): boolean {
  return isPrimaryKey || /[a-z]Id$|[_ ]id$|^id$|^ID$|[a-z]ID$/.test(name);
}

function skipReason({ column: { name }, isPrimaryKey }: ValueFacts): string | undefined {
  if (isPrimaryKey) return 'it is the primary key';
  if (name.endsWith('Id')) return 'its name ends in Id';
  const part = SKIPPED_PARTS.find((part) => name.toLowerCase().includes(part));
  return part === undefined ? undefined : `its name says ${part.trim()}`;
}

/** S characters in n distinct values: a name column below 5 million, another below 2 million and short, or few values. */
function chooseBySize({ column, distinctCount, meanLength }: ValueFacts): ValueChoice {
  const characters = distinctCount * meanLength;
  const size = `${distinctCount.toLocaleString('en')} values of ${Math.round(meanLength)} characters`;
  if (distinctCount < FEW_VALUES) return { use: 'similar', because: size };
  const isName = column.name.toLowerCase().includes('name') && characters < NAME_CHARS;
  const isShort = characters < OTHER_CHARS && meanLength < OTHER_MEAN;
  return isName || isShort
    ? { use: 'similar', because: size }
    : { use: 'exact', because: `too large or too long: ${size}` };
}
