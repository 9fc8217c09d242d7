/** Runs the statements that profile one table: a bounded number of them, and only grouped values come back. */
import type { Database, QueryLimits } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { quoteName } from '../../sql/dialects/index.ts';
import type { Column, SampleMethod, Table } from '../schema/catalog.ts';
import { tableName } from '../schema/table-names.ts';
import { fillTemplate, type OnePassSql, PROFILE_SQL } from './profile-sql.ts';
import {
  compareCells,
  GROUP_CELLS,
  type Grouping,
  groupSql,
  STEPS,
  SUMMARY_CELLS,
  summarySql,
} from './profile-statements.ts';
import { firstRows, type RowSource, sampleRows } from './table-sample.ts';

/** The values of a column with their counts, as far as they were asked for. */
export interface Groups {
  /** Rows that hold a value. */
  readonly valueRows: number;
  readonly distinctCount: number;
  /** Distinct values that stand there once. */
  readonly onceCount: number;
  /** Most frequent first. */
  readonly values: readonly { readonly value: Cell; readonly count: number }[];
  /** The values at 5 %, 10 %, … 100 % of the rows; empty when not asked for. */
  readonly steps: readonly Cell[];
}

/** Columns in one statement; SQLite allows 2000 results and 500 branches. */
const COLUMNS_AT_ONCE = 50;
/** Grouped values that one statement may bring back. */
const VALUES_AT_ONCE = 100_000;
const LIMITS: QueryLimits = { rows: 2 * VALUES_AT_ONCE, bytes: 200_000_000, timeoutMs: 300_000 };

/** The values of so many rows may be held by one aggregate for each column. */
const ONE_PASS_ROWS = 10_000;
/** Of the rows that a sample was to have at least one in so many. */
const FEWEST_SHARE = 10;

type Row = readonly Cell[];

/** Rows to look at, of the rows there are. */
export interface SampleSize {
  readonly rows: number;
  readonly rowCount: number;
}

/** Counts of a column over the rows looked at. */
export interface Summary {
  readonly count: number;
  readonly min: Cell;
  readonly max: Cell;
  readonly mean?: number;
  /** Distinct values within some percent, where the engine has a sketch of them. */
  readonly nearlyDistinct?: number;
  /** Characters of the values as text. */
  readonly lengths?: { readonly min: number; readonly mean: number; readonly max: number };
}

/** What was found, and of which rows. */
export interface Scanned<Found> {
  readonly scannedRows: number;
  readonly sampledBy?: SampleMethod;
  /** One for each column asked about, in order. */
  readonly found: readonly Found[];
}

/** Reads one table through its database; holds nothing but what it reads with. */
export class TableScan {
  readonly #database: Database;
  readonly #table: Table;
  readonly #limits: QueryLimits;
  readonly #signal: AbortSignal | undefined;

  constructor(
    database: Database,
    table: Table,
    {
      signal,
      timeoutMs = LIMITS.timeoutMs,
    }: { readonly signal?: AbortSignal | undefined; readonly timeoutMs?: number },
  ) {
    this.#limits = { ...LIMITS, timeoutMs };
    this.#database = database;
    this.#table = table;
    this.#signal = signal;
  }

  async countRows(): Promise<number> {
    const rows = await this.#query(`SELECT COUNT(*) FROM ${tableName(this.#table, this.#database.dialect)}`);
    return Number(rows[0]?.[0] ?? 0);
  }

  /** Counts, extremes, means and lengths of the columns: a pass for every 50 of them. */
  async summarise(columns: readonly Column[], size: SampleSize): Promise<Scanned<Summary>> {
    const { dialect } = this.#database;
    return this.#inSlices(slicesOf(columns, COLUMNS_AT_ONCE), size, {
      write: (part, source) => summarySql(part, source, dialect),
      read: (part, rows) => {
        const [row = []] = rows;
        return {
          scannedRows: Number(row[0] ?? 0),
          found: part.map((_, index) =>
            toSummary(row.slice(1 + index * SUMMARY_CELLS, 1 + (index + 1) * SUMMARY_CELLS)),
          ),
        };
      },
    });
  }

  /** The values of columns with their counts, most frequent first. */
  async group(groupings: readonly Grouping[], size: SampleSize): Promise<Scanned<Groups>> {
    const { dialect } = this.#database;
    const most = Math.max(1, ...groupings.map(({ keep }) => Math.min(keep, size.rowCount) + STEPS));
    const rowsAtMost = Math.min(size.rows, size.rowCount);
    const wanted = groupings.map((grouping) => ({ ...grouping, isComplete: grouping.keep >= rowsAtMost }));
    const { onePass } = PROFILE_SQL[dialect];
    if (onePass !== undefined && rowsAtMost <= ONE_PASS_ROWS && rowsAtMost < size.rowCount)
      return this.#inSlices(slicesOf(groupings, COLUMNS_AT_ONCE), size, {
        write: (part, source) => onePassSql(part, source, { dialect, onePass }),
        read: readOnePass,
      });
    const atOnce = Math.max(1, Math.min(COLUMNS_AT_ONCE, Math.floor(VALUES_AT_ONCE / most)));
    return this.#inSlices(slicesOf(wanted, atOnce), size, {
      write: (part, source) => groupSql(part, source, dialect),
      read: (part, rows) => {
        const ofColumn = part.map((): Row[] => []);
        for (const row of rows) ofColumn[Number(row[GROUP_CELLS.column])]?.push(row);
        const counted = rows.find((row) => Number(row[GROUP_CELLS.column]) < 0);
        return {
          scannedRows: Number(counted?.[GROUP_CELLS.count] ?? 0),
          found: ofColumn.map((own, index) => toGroups(own, part[index]?.keep ?? 0)),
        };
      },
    });
  }

  async #inSlices<Asked, Found>(
    slices: readonly (readonly Asked[])[],
    size: SampleSize,
    statement: {
      readonly write: (part: readonly Asked[], source: RowSource) => string;
      readonly read: (part: readonly Asked[], rows: readonly Row[]) => Omit<Scanned<Found>, 'sampledBy'>;
    },
  ): Promise<Scanned<Found>> {
    const found: Found[] = [];
    let last: Omit<Scanned<Found>, 'found'> = { scannedRows: Math.min(size.rows, size.rowCount) };
    for (const part of slices) {
      const { read, sampledBy } = await this.#fromSample(size, {
        write: (source) => statement.write(part, source),
        read: (rows) => statement.read(part, rows),
      });
      const { scannedRows, found: ofPart } = read;
      last = { scannedRows, ...(sampledBy === undefined ? {} : { sampledBy }) };
      found.push(...ofPart);
    }
    return { ...last, found };
  }

  /**
   * Runs a statement over a sample; where the table has no such samples, or blocks so large that next to none was drawn,
   * over the rows that come first.
   */
  async #fromSample<Found extends { readonly scannedRows: number }>(
    size: SampleSize,
    { write, read }: { write(source: RowSource): string; read(rows: readonly Row[]): Found },
  ): Promise<{ readonly read: Found; readonly sampledBy?: SampleMethod }> {
    const { dialect } = this.#database;
    const source = sampleRows(this.#table, dialect, size);
    const { method } = source;
    const run = async (from: RowSource): Promise<Found> => read(await this.#query(write(from)));
    if (method === undefined) return { read: await run(source) };
    try {
      const sampled = await run(source);
      const isEnough = sampled.scannedRows * FEWEST_SHARE >= size.rows;
      if (isEnough || method !== 'random blocks') return { read: sampled, sampledBy: method };
    } catch (error) {
      const isRefused = error instanceof CandorError && error.code === 'database.query-failed';
      if (method === 'first rows' || !isRefused) throw error;
    }
    return { read: await run(firstRows(this.#table, dialect, size.rows)), sampledBy: 'first rows' };
  }

  async #query(sql: string): Promise<readonly Row[]> {
    const { rows, truncatedBy } = await this.#database.query(sql, this.#limits, this.#signal);
    if (truncatedBy === null) return rows;
    throw new CandorError('internal.bug', `a profile of ${this.#table.name} was cut by ${truncatedBy}`);
  }
}

function toSummary([count, min, max, mean, shortest, average, longest, nearlyDistinct]: Row): Summary {
  return {
    count: Number(count ?? 0),
    min: min ?? null,
    max: max ?? null,
    ...(isAbsent(mean) ? {} : { mean: Number(mean) }),
    ...(isAbsent(nearlyDistinct) ? {} : { nearlyDistinct: Number(nearlyDistinct) }),
    ...(isAbsent(average)
      ? {}
      : { lengths: { min: Number(shortest), mean: Number(average), max: Number(longest) } }),
  };
}

function isAbsent(cell: Cell | undefined): boolean {
  return cell === null || cell === undefined;
}

function toGroups(rows: readonly Row[], keep: number): Groups {
  const { value, count, upTo, place } = GROUP_CELLS;
  const { valueRows, distinctCount, onceCount } = totalsOf(rows);
  const byCount = [...rows].sort(
    (a, b) =>
      Number(b[count]) - Number(a[count]) ||
      Number(a[place]) - Number(b[place]) ||
      compareCells(a[value], b[value]),
  );
  const stepped = rows.filter((row) => Number(row[upTo]) > 0);
  const inOrder = stepped.sort((a, b) => Number(a[upTo]) - Number(b[upTo]));
  const steps: Cell[] = [];
  for (let step = 1; inOrder.length > 0 && step <= STEPS; step += 1) {
    const row = inOrder.find((candidate) => Number(candidate[upTo]) * STEPS >= step * valueRows);
    steps.push(row?.[value] ?? null);
  }
  return {
    valueRows,
    distinctCount,
    onceCount,
    values: byCount.slice(0, keep).map((row) => ({ value: row[value] ?? null, count: Number(row[count]) })),
    steps,
  };
}

/** The engine's own totals, or those of all the groups where every one of them came. */
function totalsOf(rows: readonly Row[]): Pick<Groups, 'valueRows' | 'distinctCount' | 'onceCount'> {
  const { count, distinct, once, total } = GROUP_CELLS;
  const [any = []] = rows;
  const distinctCount = Number(any[distinct] ?? 0);
  if (distinctCount > 0)
    return { valueRows: Number(any[total]), distinctCount, onceCount: Number(any[once]) };
  const counts = rows.map((row) => Number(row[count]));
  return {
    valueRows: counts.reduce((sum, rowsOfValue) => sum + rowsOfValue, 0),
    distinctCount: counts.length,
    onceCount: counts.filter((rowsOfValue) => rowsOfValue === 1).length,
  };
}

function slicesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const slices: Item[][] = [];
  for (let start = 0; start < items.length; start += size) slices.push(items.slice(start, start + size));
  return slices;
}

// The values of all columns of a sample in one pass and one row, for engines that read it anew for every part of a statement.

/** Of a column: rows with a value, distinct values, those that stand there once, the most frequent, the steps. */
const CELLS = 5;
/** 0.05, 0.10, … 1.00. */
const SHARES = Array.from({ length: STEPS }, (_, step) => ((step + 1) / STEPS).toFixed(2));

/** The number of rows, then five cells for each column. */
function onePassSql(
  groupings: readonly Grouping[],
  source: RowSource,
  { dialect, onePass }: { readonly dialect: DialectName; readonly onePass: OnePassSql },
): string {
  const { cutText, asText } = PROFILE_SQL[dialect];
  const results = groupings.flatMap(({ column, keep, hasSteps }) => {
    const name = `t.${quoteName(column.name, dialect)}`;
    const shown = fillTemplate(column.family === 'text' ? cutText : asText, onePass.value);
    const steps = SHARES.map((share) => fillTemplate(onePass.step, name, share)).join(', ');
    return [
      `COUNT(${name})`,
      fillTemplate(onePass.distinct, name),
      fillTemplate(onePass.once, name),
      fillTemplate(onePass.top, name, shown, String(keep)),
      hasSteps ? fillTemplate(onePass.list, steps, fillTemplate(asText, 'e')) : 'NULL',
    ];
  });
  const where = source.condition === undefined ? '' : ` WHERE ${source.condition}`;
  return `SELECT ${['COUNT(*)', ...results].join(', ')} FROM ${source.from}${where}`;
}

function readOnePass(
  groupings: readonly Grouping[],
  rows: readonly (readonly Cell[])[],
): { readonly scannedRows: number; readonly found: readonly Groups[] } {
  const [row = []] = rows;
  const found = groupings.map((_, index) =>
    readGroupCells(row.slice(1 + index * CELLS, 1 + (index + 1) * CELLS)),
  );
  return { scannedRows: Number(row[0] ?? 0), found };
}

function readGroupCells([count, distinct, once, top, steps]: readonly Cell[]): Groups {
  return {
    valueRows: Number(count ?? 0),
    distinctCount: Number(distinct ?? 0),
    onceCount: Number(once ?? 0),
    values: readList(top).flatMap((pair) => {
      const [value, rows]: unknown[] = Array.isArray(pair) ? pair : [];
      return typeof value === 'string' ? [{ value, count: Number(rows) }] : [];
    }),
    steps: readList(steps).map(String),
  };
}

/** Nothing of a column without a value. */
function readList(cell: Cell | undefined): readonly unknown[] {
  const list: unknown = typeof cell === 'string' ? JSON.parse(cell) : [];
  return Array.isArray(list) ? list : [];
}
