/** The keys that undeclared links may lead to, found by name: no table is compared with every other. */
import { nameWords, singularOf } from '../../language/index.ts';
import type { Column, Table } from '../schema/catalog.ts';

/** A column that tells the rows of its table apart. */
export interface KeyTarget {
  readonly table: Pick<Table, 'id' | 'name' | 'qualifier'>;
  readonly column: Column;
  /** Declared as the primary key; else its values were all different. */
  readonly isDeclared: boolean;
  /** Declared, or named as the key of just this table. */
  readonly isNamed: boolean;
}

export interface KeyCandidate {
  readonly from: Pick<Table, 'id' | 'name' | 'qualifier'>;
  readonly column: Column;
  readonly to: KeyTarget;
  /** The column is named after the table, not only like its key. */
  readonly isNamedAfterTable: boolean;
}

/** Names that every table may have and that point at nothing. */
const GENERIC = new Set('id key code no nr number name date year type status'.split(' '));
/** Letters by which a longer name may be begun. */
const SHORTEST_START = 3;
/** More targets for one column than this are a guess whatever the values say. */
const MOST_TARGETS = 4;

/** Knows the keys of tables by the names that point at them. */
export class KeyIndex {
  readonly #byTableName = new Map<string, KeyTarget[]>();
  readonly #byKeyName = new Map<string, KeyTarget[]>();

  /** Takes in a table, if one column is its key. */
  add(table: Table): void {
    const target = keyOf(table);
    if (target === undefined) return;
    addTo(this.#byTableName, foldTable(table.name), target);
    const words = nameWords(target.column.name);
    addTo(this.#byKeyName, words.join('_'), target);
    // `stn` of samples, where stations have the key `stn_cd`.
    const bare = words.slice(0, -1).join('_');
    if (words.length > 1 && KEY_WORDS.has(words.at(-1) ?? '') && !GENERIC.has(bare))
      addTo(this.#byKeyName, bare, target);
  }

  /** The keys that a column may point at by its name and type; those of the same schema before others. */
  candidates(table: Table, column: Column): KeyCandidate[] {
    const words = nameWords(column.name);
    const stem =
      words.length > 1 && KEY_WORDS.has(words.at(-1) ?? '') ? words.slice(0, -1) : joinedStem(words);
    const name = foldName(column.name);
    const found = new Map<KeyTarget, KeyCandidate>();
    const propose = (to: KeyTarget, isNamedAfterTable: boolean): void => {
      if (to.column.id === column.id || to.column.family !== column.family || found.has(to)) return;
      found.set(to, { from: table, column, to, isNamedAfterTable });
    };
    const own = foldTable(table.name);
    const parent = foldWords(stem);
    if (parent === 'parent') {
      for (const to of this.#byTableName.get(own) ?? []) if (to.table.id === table.id) propose(to, true);
    }
    if (parent !== '' && parent !== own) {
      for (const to of this.#byTableName.get(parent) ?? []) propose(to, true);
    }
    // `semester`, `from_airport`, `pre_course_id`: the table itself, or behind the part that it plays.
    const head = (stem.length > 0 ? stem : words).at(-1) ?? '';
    if (found.size === 0 && head !== own) {
      for (const to of this.#byTableName.get(head) ?? []) propose(to, words.length === 1);
    }
    // `vcode`, where `vcode_lookup` says what each of them is: its end is no key word behind another word.
    if (found.size === 0 && words.length === 1 && foldWords(words) !== own)
      for (const to of this.#byTableName.get(foldWords(words)) ?? []) propose(to, true);
    // `insp_id` of violations, where one table alone begins so: inspections.
    if (found.size === 0 && stem.length > 0 && parent.length >= SHORTEST_START) {
      const begun = [...this.#byTableName].filter(
        ([name, [to]]) =>
          name !== parent && name.startsWith(parent) && nameWords(to?.table.name ?? '').length === 1,
      );
      for (const to of begun.length === 1 ? (begun[0]?.[1] ?? []) : [])
        if (to.table.id !== table.id) propose(to, false);
    }
    const key = keyOf(table);
    const isOwnKey = key?.isNamed === true && key.column.id === column.id;
    if (!GENERIC.has(name) && !isOwnKey) {
      for (const to of this.#byKeyName.get(name) ?? []) if (to.table.id !== table.id) propose(to, false);
    }
    const all = [...found.values()];
    const named = all.filter(({ to }) => to.isNamed);
    const near = (named.length > 0 ? named : all).filter(({ to }) => schemaOf(to.table) === schemaOf(table));
    const candidates = near.length > 0 ? near : all;
    return candidates.length > MOST_TARGETS ? [] : candidates;
  }
}

/** The declared key of one column; without one, the column that `findKeyColumn` takes for it. */
function keyOf(table: Table): KeyTarget | undefined {
  if (table.kind !== 'table' || table.primaryKey.length > 1) return undefined;
  const [id] = table.primaryKey;
  const declared = table.columns.find((candidate) => candidate.id === id);
  const found = id === undefined ? findKeyColumn(table) : declared && { column: declared, isNamed: true };
  if (found === undefined) return undefined;
  const { column, isNamed } = found;
  return { table: slim(table), column: bare(column), isDeclared: id !== undefined, isNamed };
}

/** The index outlives the tables that it was made from. */
function slim({ id, name, qualifier }: Table): KeyTarget['table'] {
  return qualifier === undefined ? { id, name } : { id, name, qualifier };
}

function bare({ profile: _, comment: __, ...column }: Column): Column {
  return column;
}

function schemaOf({ qualifier }: Pick<Table, 'qualifier'>): string {
  return (qualifier ?? []).join('.');
}

function addTo(targets: Map<string, KeyTarget[]>, name: string, target: KeyTarget): void {
  const known = targets.get(name);
  if (known === undefined) targets.set(name, [target]);
  else known.push(target);
}

/** `CustomerID`, `customer_id` and `Customer Id` are one name. */
function foldName(name: string): string {
  return nameWords(name).join('_');
}

/** The stem of `customerid`, where nothing shows the end of a word. */
function joinedStem(words: readonly string[]): string[] {
  const stem = words.join('').replace(/(id|key|code|no|nr|num|number)$/, '');
  return stem === words.join('') || stem === '' ? [] : [stem];
}

/** `aid` of authors: the beginning of the table's name and what says that it is a key. */
const SHORT_KEY = /^(\p{L}{1,5})id$/u;
const LONGEST_SHORT_KEY = 7;

interface FoundKey {
  readonly column: Column;
  /** The column is named as the key of just this table. */
  readonly isNamed: boolean;
}

/**
 * The key of a table that declares none: a column named like a key whose values are all different. Its name may be the
 * key word alone, or that with the table's name (`author_id`, `authorid`), its end (`offering_id` of course offerings)
 * or beginning (`aid`, `customer_no` of `customers_master`); else the name of the thing is its key (`state_name`), and
 * last a first column that names something (`city_name` of `geographic`) or is the key of something.
 */
function findKeyColumn(table: Table): FoundKey | undefined {
  const unique = table.columns.filter(isUnique);
  const own = foldTable(table.name);
  const plain = unique.find((column) => isNamedKey(column, own));
  if (plain !== undefined) return { column: plain, isNamed: true };
  // A table of nothing but keys only links others.
  if (table.columns.length > 1 && table.columns.every(({ name }) => /(?:id|key|code)$/i.test(name)))
    return undefined;
  const short = unique.find(({ name }) => isShortKey(name.toLowerCase(), own));
  if (short !== undefined) return { column: short, isNamed: true };
  // `parm` of parms: the thing itself.
  const itself = unique.find(({ name }) => foldTable(name) === own);
  if (itself !== undefined) return { column: itself, isNamed: true };
  const named = unique.find((column) => isNameOf(column, own));
  if (named !== undefined) return { column: named, isNamed: true };
  const words = nameWords(table.name);
  const ends = [singularOf(words.at(-1) ?? ''), singularOf(words[0] ?? '')];
  const [first] = table.columns;
  const column =
    unique.find((it) => ends.some((end) => isNamedKey(it, end))) ??
    unique.find((it) => it === first && (isNameOf(it) || isKeyOfSomething(it)));
  return column && { column, isNamed: false };
}

function isNamedKey({ name }: Column, own: string): boolean {
  const words = nameWords(name);
  const [only = ''] = words;
  if (words.length === 1) return KEY_WORDS.has(only) || only === `${own}id`;
  return KEY_WORDS.has(words.at(-1) ?? '') && foldWords(words.slice(0, -1)) === own;
}

function isShortKey(name: string, own: string): boolean {
  const begins = SHORT_KEY.exec(name)?.[1];
  return name.length <= LONGEST_SHORT_KEY && begins !== undefined && own.startsWith(begins);
}

/** `customer_no` as the first column of `master_data`. */
function isKeyOfSomething({ name }: Column): boolean {
  const words = nameWords(name);
  return words.length > 1 && KEY_WORDS.has(words.at(-1) ?? '');
}

/** `state_name` of states; of any table when no name is asked for. */
function isNameOf({ name, family }: Column, own?: string): boolean {
  const words = nameWords(name);
  if (family !== 'text' || words.length < 2 || words.at(-1) !== 'name') return false;
  return own === undefined || foldWords(words.slice(0, -1)) === own;
}

/** In all the rows looked at no value stands twice and none is missing. */
function isUnique({ profile }: Column): boolean {
  if (profile === undefined || profile.nullCount > 0 || profile.distinctCount < 2) return false;
  const expected = profile.sampledBy === undefined ? profile.scannedRows : (profile.countedRows ?? 0);
  return (profile.distinctEstimate ?? profile.distinctCount) >= expected;
}

// What names of keys and of tables are made of.

/** Words that end the name of a key. */
const KEY_WORDS: ReadonlySet<string> = new Set('id key code cd no nr nbr num number uuid guid'.split(' '));
const TABLE_MARKS = new Set(['dim', 'fact', 'fct', 'tbl', 'tb', 't', 'd', 'f', 'stg', 'ref']);
const TABLE_ENDS = new Set(['lookup', 'lkp', 'lu', 'ref', 'tbl', 'master', 'mst']);

/** `foldTable('dim_countries')` → `country`. */
function foldTable(name: string): string {
  const words = nameWords(name);
  const own = words.length > 1 && TABLE_MARKS.has(words[0] ?? '') ? words.slice(1) : words;
  return foldWords(own.length > 1 && TABLE_ENDS.has(own.at(-1) ?? '') ? own.slice(0, -1) : own);
}

/** Names of one thing are one text, in the singular or plural: `order_items` and `OrderItem` → `orderitem`. */
function foldWords(words: readonly string[]): string {
  return [...words.slice(0, -1), singularOf(words.at(-1) ?? '')].join('');
}
