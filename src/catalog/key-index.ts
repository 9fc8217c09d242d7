/** The keys that undeclared links may lead to, found by name: no table is compared with every other. */
import type { Column, Table } from './catalog.ts';
import { findKeyColumn } from './find-key-column.ts';
import { foldTable, KEY_WORDS, singular } from './key-words.ts';
import { nameWords } from './name-words.ts';

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
    addTo(this.#byKeyName, foldName(target.column.name), target);
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
    const parent = singular(stem.join(''));
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
