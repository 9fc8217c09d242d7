/** Counts and examples of one table's columns, by SQL that the engine runs; only grouped values come back. */
import type { Database, QueryLimits } from '../database/index.ts';
import type { Cell } from '../sql/cell.ts';
import type { Column, ColumnProfile, Table } from './catalog.ts';
import { quoteName } from './quote-name.ts';
import { findPattern } from './text-pattern.ts';
import { familyOfValues, isDecidedByValues } from './type-family.ts';

/** Rows whose text is read: a value that is missed here cannot be found by a question. */
const TEXT_ROWS = 1_000_000;
/** Rows that are enough to know how numbers and dates are spread. */
const SAMPLE_ROWS = 50_000;
/** Distinct values kept of a text column. */
const KEPT_VALUES = 20_000;
const EXAMPLES = 10;
const EXAMPLE_CHARS = 80;
const CARRIED_CHARS = 200;
/** Stands for bytes that are not UTF-8; the text around it is not what is stored. */
const REPLACEMENT = '\uFFFD';
/** Texts longer than this on average are prose, not names of things. */
const PROSE_CHARS = 60;
/** Columns in one statement; SQLite allows 2000 results. */
const COLUMNS_AT_ONCE = 100;

const LIMITS: QueryLimits = { rows: KEPT_VALUES, bytes: 32_000_000, timeoutMs: 120_000 };

/** The values of one text column with how often each stands there, most frequent first. */
export interface ColumnValues {
  readonly columnId: string;
  /** Distinct values seen, of which `values` may hold fewer. */
  readonly distinctCount: number;
  readonly values: readonly (readonly [value: string, count: number])[];
}

export interface ProfiledTable {
  readonly table: Table;
  /** One entry per text column that holds names rather than prose. */
  readonly values: readonly ColumnValues[];
}

interface Summary {
  readonly count: number;
  readonly min: Cell;
  readonly max: Cell;
  readonly averageChars: number;
}

interface Groups {
  readonly scannedRows: number;
  readonly distinctCount: number;
  readonly rows: readonly { readonly value: Cell; readonly count: number }[];
}

/** Profiles every column and settles the families that depend on the stored values. */
export async function profileTable(
  database: Database,
  table: Table,
  signal?: AbortSignal,
): Promise<ProfiledTable> {
  const scan = new TableScan(database, table, signal);
  const rowCount = await scan.countRows();
  const summaries = await scan.summarise(rowCount);
  const columns: Column[] = [];
  const values: ColumnValues[] = [];
  for (const [index, column] of table.columns.entries()) {
    const summary = summaries[index] ?? { count: 0, min: null, max: null, averageChars: 0 };
    const isLoose = isDecidedByValues(database.dialect, column);
    const isProse = summary.averageChars > PROSE_CHARS;
    const isWhole = (column.family === 'text' || isLoose) && !isProse;
    const groups = await scan.group(column, summary, rowCount, isWhole);
    const cells = groups.rows.map((row) => row.value).filter((value) => !(value instanceof Uint8Array));
    const hasBlobs = cells.length < groups.rows.length;
    // The extremes are of all rows, so a stray value beyond the kept ones still shows.
    const seen = summary.count === 0 ? [] : [...cells, summary.min, summary.max];
    const family = isLoose && !hasBlobs ? familyOfValues(column.family, seen) : column.family;
    columns.push({ ...column, family, profile: toProfile(summary, groups, rowCount, seen) });
    if (family === 'text' && !isProse && groups.rows.length > 0) {
      values.push(toValues(column.id, groups));
    }
  }
  return { table: { ...table, rowCount, columns }, values };
}

class TableScan {
  readonly #database: Database;
  readonly #table: Table;
  readonly #signal: AbortSignal | undefined;

  constructor(database: Database, table: Table, signal: AbortSignal | undefined) {
    this.#database = database;
    this.#table = table;
    this.#signal = signal;
  }

  async countRows(): Promise<number> {
    const rows = await this.#query(`SELECT COUNT(*) FROM ${quoteName(this.#table.name)}`);
    return Number(rows[0]?.[0] ?? 0);
  }

  /** Non-null counts, extremes and mean lengths of all columns in one pass. */
  async summarise(rowCount: number): Promise<Summary[]> {
    const summaries: Summary[] = [];
    const { columns } = this.#table;
    for (let start = 0; start < columns.length; start += COLUMNS_AT_ONCE) {
      const part = columns.slice(start, start + COLUMNS_AT_ONCE);
      const results = part.flatMap((column) => {
        const name = `t.${quoteName(column.name)}`;
        if (!isComparable(this.#database, column)) return [`COUNT(${name})`, 'NULL', 'NULL', '0'];
        const value = boundedValue(column, name);
        const hasText = column.family === 'text' || isDecidedByValues(this.#database.dialect, column);
        const length = hasText ? `AVG(LENGTH(CAST(${name} AS TEXT)))` : '0';
        return [`COUNT(${name})`, `MIN(${value})`, `MAX(${value})`, length];
      });
      const rows = await this.#query(
        `SELECT ${results.join(', ')} FROM ${this.#source(rowCount, TEXT_ROWS)}`,
      );
      const row = rows[0] ?? [];
      for (const index of part.keys()) {
        summaries.push({
          count: Number(row[index * 4] ?? 0),
          min: row[index * 4 + 1] ?? null,
          max: row[index * 4 + 2] ?? null,
          averageChars: Number(row[index * 4 + 3] ?? 0),
        });
      }
    }
    return summaries;
  }

  /** The most frequent values: all that may be kept where `isWhole`, else the examples of a sample. */
  async group(column: Column, summary: Summary, rowCount: number, isWhole: boolean): Promise<Groups> {
    const scannedRows = Math.min(rowCount, isWhole ? TEXT_ROWS : SAMPLE_ROWS);
    if (summary.count === 0 || !isComparable(this.#database, column)) {
      return { scannedRows, distinctCount: 0, rows: [] };
    }
    const name = `t.${quoteName(column.name)}`;
    // A key has every value once: no need to group.
    if (isSingleKey(this.#table, column) && column.family === 'number') {
      const rows = await this.#query(`SELECT ${name} FROM ${this.#source(rowCount, EXAMPLES)}`);
      const keys = rows.map((row) => ({ value: row[0] ?? null, count: 1 }));
      return { scannedRows: rowCount, distinctCount: rowCount, rows: keys };
    }
    const rows = await this.#query(
      `SELECT ${isWhole ? 'v' : boundedValue(column, 'v')}, n, COUNT(*) OVER () FROM (
         SELECT ${name} AS v, COUNT(*) AS n FROM ${this.#source(rowCount, scannedRows)}
         WHERE ${name} IS NOT NULL GROUP BY ${name}) AS grouped
       ORDER BY n DESC, v LIMIT ${isWhole ? KEPT_VALUES : EXAMPLES}`,
    );
    return {
      scannedRows,
      distinctCount: Number(rows[0]?.[2] ?? 0),
      rows: rows.map((row) => ({ value: row[0] ?? null, count: Number(row[1]) })),
    };
  }

  #source(rowCount: number, limit: number): string {
    const table = quoteName(this.#table.name);
    return rowCount <= limit ? `${table} AS t` : `(SELECT * FROM ${table} LIMIT ${limit}) AS t`;
  }

  async #query(sql: string): Promise<readonly (readonly Cell[])[]> {
    return (await this.#database.query(sql, LIMITS, this.#signal)).rows;
  }
}

/** Lists, structures and blobs are only counted. */
function isComparable(database: Database, column: Column): boolean {
  return column.family !== 'other' || isDecidedByValues(database.dialect, column);
}

/** The value without what is too long to carry: one document could fill the byte limit. */
function boundedValue(column: Column, name: string): string {
  if (column.family === 'text') return `SUBSTR(CAST(${name} AS TEXT), 1, ${CARRIED_CHARS})`;
  if (column.family === 'other') return `CASE WHEN LENGTH(${name}) <= ${CARRIED_CHARS} THEN ${name} END`;
  return name;
}

function isSingleKey(table: Table, column: Column): boolean {
  return table.primaryKey.length === 1 && table.primaryKey[0] === column.id;
}

function toProfile(summary: Summary, groups: Groups, rowCount: number, seen: readonly Cell[]): ColumnProfile {
  const texts = seen.filter((value) => typeof value === 'string');
  const pattern = texts.length === seen.length ? findPattern(texts) : undefined;
  const min = toText(summary.min);
  const max = toText(summary.max);
  const counted = Math.min(rowCount, TEXT_ROWS);
  return {
    scannedRows: groups.scannedRows,
    // Of a longer table only the counted part is known to hold NULL or not.
    nullCount: counted - summary.count,
    distinctCount: groups.distinctCount,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    examples: groups.rows
      .slice(0, EXAMPLES)
      .map((row) => toText(row.value))
      .filter((text) => text !== undefined),
    ...(pattern === undefined ? {} : { pattern }),
  };
}

function toValues(columnId: string, groups: Groups): ColumnValues {
  const values: [string, number][] = [];
  for (const { value, count } of groups.rows) {
    // A cut value could not be compared with the stored one, so a long one is left out.
    if (value === null || value instanceof Uint8Array) continue;
    const text = String(value);
    if (text.length <= EXAMPLE_CHARS && !text.includes(REPLACEMENT)) values.push([text, count]);
  }
  return { columnId, distinctCount: groups.distinctCount, values };
}

function toText(value: Cell): string | undefined {
  if (value === null || value instanceof Uint8Array) return undefined;
  return String(value).slice(0, EXAMPLE_CHARS);
}
