/** The values of a column that a question may name: chosen by the rules, read in full where those say so. */

import type { Database, QueryLimits } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import { compareText } from '../../lib/index.ts';
import { quoteName, quoteText } from '../../sql/dialects/index.ts';
import type { Column, Table } from '../schema/catalog.ts';
import { tableName } from '../schema/table-names.ts';
import {
  chooseValueUse,
  MAX_LITERALS,
  NO_LISTS,
  type ValueFacts,
  type ValueLists,
  type ValueUse,
} from './choose-value-use.ts';
import { fillTemplate, PROFILE_SQL } from './profile-sql.ts';
import type { Groups } from './table-scan.ts';

/** Longer values are no names of things; a cut one could not be compared with what is stored. */
const VALUE_CHARS = 80;
/** Stands for bytes that are not UTF-8; the text around it is not what is stored. */
const REPLACEMENT = '\uFFFD';
/** Values that one statement brings back. */
const PAGE_VALUES = 100_000;
/** Characters of one column, and of all columns of a table: the rules let none beyond, but for those included by name. */
const COLUMN_CHARS = 6_000_000;
const TABLE_CHARS = 30_000_000;
const LIMITS: QueryLimits = { rows: PAGE_VALUES, bytes: 100_000_000, timeoutMs: 300_000 };

type Pair = readonly [value: string, count: number];

/** The values of one column with how often each stands there, most frequent first. */
export interface ColumnValues {
  readonly columnId: string;
  /** Distinct values of the column, estimated where not all rows were read; `values` may hold fewer. */
  readonly distinctCount: number;
  readonly values: readonly Pair[];
  /** What they are looked up for; absent: everything. */
  readonly use?: ValueUse;
  readonly because?: string;
}

/** What the profile has found of a column. */
export interface FoundValues {
  /** With its profile. */
  readonly column: Column;
  readonly groups: Groups;
  /** All values of a number or date column with few of them. */
  readonly literals?: Groups | undefined;
  readonly meanLength: number;
}

export interface CollectOptions {
  readonly lists?: ValueLists | undefined;
  /** All rows of the table may be read. */
  readonly mayReadAll: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Collects the values of a table's columns, one column at a time and no more than fit. */
export class ValueCollector {
  readonly #database: Database;
  readonly #table: Table;
  readonly #options: CollectOptions;
  #room = TABLE_CHARS;

  constructor(database: Database, table: Table, options: CollectOptions) {
    this.#database = database;
    this.#table = table;
    this.#options = options;
  }

  /** Nothing for columns of other kinds; a column whose values are not kept is named with the reason. */
  async collect(found: FoundValues): Promise<ColumnValues | undefined> {
    const { column, groups, literals } = found;
    const facts = factsOf(found, this.#table);
    const { use, because } = chooseValueUse(facts, this.#options.lists ?? NO_LISTS);
    const chosen = { columnId: column.id, distinctCount: facts.distinctCount, use, because };
    if (use === 'none') return column.family === 'text' ? { ...chosen, values: [] } : undefined;
    const seen = pairsOf(use === 'literal' ? (literals ?? groups) : groups);
    if (use === 'literal') return { ...chosen, values: seen.slice(0, MAX_LITERALS) };
    const isWhole = groups.values.length >= facts.distinctCount;
    if (use === 'exact' || isWhole || !this.#options.mayReadAll)
      return { ...chosen, values: this.#fit(seen) };
    const all = await this.#readAll(column);
    const values = this.#fit(all !== undefined && all.length > seen.length ? all : seen);
    return { ...chosen, distinctCount: Math.max(facts.distinctCount, values.length), values };
  }

  /** Every value that is no longer than a name, page by page in the order of the texts; none where that fails. */
  async #readAll(column: Column): Promise<readonly Pair[] | undefined> {
    const pairs: Pair[] = [];
    let characters = 0;
    for (let last: string | undefined; ; ) {
      const page = await this.#readPage(column, last);
      if (page === undefined) return undefined;
      for (const [value, count] of page) {
        if (!isKept(value)) continue;
        pairs.push([value, count]);
        characters += value.length;
      }
      last = page.at(-1)?.[0];
      const isFull = characters > Math.min(COLUMN_CHARS, this.#room);
      if (page.length < PAGE_VALUES || isFull || last === undefined) break;
    }
    return pairs.sort((a, b) => b[1] - a[1] || compareText(a[0], b[0]));
  }

  async #readPage(column: Column, after: string | undefined): Promise<readonly Pair[] | undefined> {
    try {
      const sql = this.#pageSql(column, after);
      const { rows } = await this.#database.query(sql, LIMITS, this.#options.signal);
      return rows.map(([value, count]) => [String(value), Number(count)]);
    } catch (error) {
      // The values seen so far stay; that they are not all is told by their number.
      const isRefused =
        error instanceof CandorError &&
        (error.code === 'database.query-failed' || error.code === 'database.timeout');
      if (isRefused) return undefined;
      throw error;
    }
  }

  #pageSql(column: Column, after: string | undefined): string {
    const { dialect } = this.#database;
    const { wholeText, orderText, length } = PROFILE_SQL[dialect];
    const name = `t.${quoteName(column.name, dialect)}`;
    const key = fillTemplate(wholeText, name);
    const order = fillTemplate(orderText, 'w.v');
    const conditions = [
      `${name} IS NOT NULL`,
      `${fillTemplate(length, name)} <= ${VALUE_CHARS}`,
      ...(after === undefined ? [] : [`${fillTemplate(orderText, key)} > ${quoteText(after, dialect)}`]),
    ];
    const grouped = `SELECT ${key} AS v, COUNT(*) AS n FROM ${tableName(this.#table, dialect)} AS t WHERE ${conditions.join(' AND ')} GROUP BY ${key}`;
    return `SELECT w.v, w.n FROM (${grouped}) AS w WHERE w.v IS NOT NULL ORDER BY ${order} LIMIT ${PAGE_VALUES}`;
  }

  #fit(pairs: readonly Pair[]): readonly Pair[] {
    const kept: Pair[] = [];
    for (const pair of pairs) {
      if (pair[0].length > this.#room) break;
      this.#room -= pair[0].length;
      kept.push(pair);
    }
    return kept;
  }
}

function factsOf({ column, groups, literals, meanLength }: FoundValues, { primaryKey }: Table): ValueFacts {
  const { profile } = column;
  return {
    column,
    family: column.family,
    isPrimaryKey: primaryKey.includes(column.id),
    isWithheld: profile?.pii?.isWithheld === true,
    distinctCount: literals?.distinctCount ?? profile?.distinctEstimate ?? groups.distinctCount,
    meanLength,
  };
}

function pairsOf(groups: Groups): Pair[] {
  return groups.values.flatMap(({ value, count }): Pair[] => {
    if (value === null || value instanceof Uint8Array) return [];
    const text = String(value);
    return isKept(text) ? [[text, count]] : [];
  });
}

function isKept(text: string): boolean {
  return text.length <= VALUE_CHARS && text.trim() !== '' && !text.includes(REPLACEMENT);
}

/** Values are kept up to this length: one that is as long may be the start of another. */
const KEPT_CHARACTERS = 80;

/** All values of a column, where they are known: few, short, and every row was looked at. */
export function allValues({ profile }: Column): readonly string[] | undefined {
  if (profile === undefined || profile.pii?.isWithheld === true || profile.sampledBy !== undefined)
    return undefined;
  const { examples, distinctCount } = profile;
  const values = examples.length === distinctCount ? examples : profile.allValues;
  const isWhole = values !== undefined && values.length > 0;
  return isWhole && values.every(({ length }) => length < KEPT_CHARACTERS) ? values : undefined;
}
