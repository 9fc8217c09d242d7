/** Profiles of one table's columns, evidence levels L1 to L3, by SQL that the engine runs. */
import type { Database } from '../../database/index.ts';
import type { Column, SampleMethod, Table } from '../schema/catalog.ts';
import { familyOfValues, isDecidedByValues } from '../schema/type-family.ts';
import { buildProfile, estimateDistinct } from './build-profile.ts';
import { isKeyLike, MAX_LITERALS, PROSE_CHARS, type ValueLists } from './choose-value-use.ts';
import { type ColumnValues, ValueCollector } from './collect-values.ts';
import { findPii, type PiiSettings } from './find-pii.ts';
import { isComparable } from './profile-statements.ts';
import type { Groups } from './table-scan.ts';
import { type SampleSize, type Scanned, type Summary, TableScan } from './table-scan.ts';

/** A table with more rows by the engine's own estimate is not counted: that takes an engine minutes. */
const UNCOUNTED_ROWS = 10_000_000;
/** Rows that are counted and whose text is read: a value that is missed here cannot be found by a question. */
const WHOLE_ROWS = 1_000_000;
/** Of a table with no more rows every figure is exact (EviLink, section 3). */
const EXACT_ROWS = 10_000;
/** Of a larger one these are enough to know how values are spread: a quartile is right within 1.5 % of the rows. */
const SAMPLE_ROWS = 5_000;
/** Distinct values kept of a text column. */
const KEPT_VALUES = 20_000;
/** Of more distinct values than these less than half could be kept: to find one would be luck. */
const MANY_VALUES = 2 * KEPT_VALUES;
/** Kept of such a column, to show what its values look like. */
const SHOWN_VALUES = 1_000;
const TOP_VALUES = 20;

export interface ProfiledTable {
  readonly table: Table;
  /** One entry per text column, empty where its values are not kept, and per number or date column with few values. */
  readonly values: readonly ColumnValues[];
}

export interface ProfileOptions {
  readonly pii?: PiiSettings;
  /** Canonical ids of columns that are not looked at. */
  readonly skipColumns?: ReadonlySet<string>;
  /** Columns whose values are found by likeness, or not, whatever the rules say. */
  readonly valueLists?: ValueLists;
  /** Canonical ids of columns in declared foreign keys. */
  readonly keyColumns?: ReadonlySet<string>;
  /** Rows of this table that may be read at most; beyond it a sample is. */
  readonly maxRows?: number;
  /** Of one statement. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** One column on its way: what the statements have found of it. */
interface Progress {
  readonly column: Column;
  readonly summary: Summary;
  groups?: Groups;
  /** Of all rows: the values of a number or date column that has few. */
  literals?: Groups;
  scannedRows: number;
  sampledBy: SampleMethod | undefined;
}

const NO_SUMMARY: Summary = { count: 0, min: null, max: null };

/**
 * Profiles the columns and settles the families that depend on the stored values. Four kinds of statements read the
 * table: its rows are counted; counts and extremes of all columns; the values of a sample, grouped; and the values
 * of text columns, which a question may name, grouped over all rows up to a million. Throws `database.*`.
 */
export async function profileTable(
  database: Database,
  table: Table,
  options: ProfileOptions = {},
): Promise<ProfiledTable> {
  const scan = new TableScan(database, table, options);
  const asked = table.columns.filter(({ id }) => options.skipColumns?.has(id) !== true);
  const rows = Math.min(WHOLE_ROWS, options.maxRows ?? WHOLE_ROWS);
  const { rowCount, isEstimated, summaries } = await summarise(scan, asked, { table, rows });
  const size = { rows, rowCount };
  const progress = asked.map(
    (column, index): Progress => ({
      column,
      summary: summaries.found[index] ?? NO_SUMMARY,
      scannedRows: summaries.scannedRows,
      sampledBy: summaries.sampledBy,
    }),
  );
  const filled = progress.filter(
    ({ column, summary }) => summary.count > 0 && isComparable(column, database.dialect),
  );
  await groupAll(scan, filled, { database, size, pii: options.pii });
  await groupLiterals(scan, filled, { database, table, size, pii: options.pii });
  const columns = new Map<string, Column>();
  const values: ColumnValues[] = [];
  const collector = new ValueCollector(database, table, {
    lists: options.valueLists,
    mayReadAll: options.maxRows === undefined && rowCount <= UNCOUNTED_ROWS,
    signal: options.signal,
  });
  for (const { summary, groups, literals, ...found } of progress) {
    const column = buildProfile({
      ...found,
      table,
      dialect: database.dialect,
      rowCount,
      countedRows: summaries.scannedRows,
      summary,
      groups,
      isForeignKey: options.keyColumns?.has(found.column.id) === true,
      pii: options.pii,
    });
    columns.set(column.id, column);
    if (groups === undefined || groups.values.length === 0) continue;
    const meanLength = summary.lengths?.mean ?? 0;
    const collected = await collector.collect({ column, groups, literals, meanLength });
    if (collected !== undefined) values.push(collected);
  }
  return {
    table: {
      ...table,
      rowCount,
      ...(isEstimated ? { isRowCountEstimated: true } : {}),
      columns: table.columns.map((column) => columns.get(column.id) ?? column),
    },
    values,
  };
}

/** Rows, and counts of the columns. An estimate that finds no rows at all is taken for an old one. */
async function summarise(
  scan: TableScan,
  columns: readonly Column[],
  { table, rows }: { readonly table: Table; readonly rows: number },
): Promise<{ rowCount: number; isEstimated: boolean; summaries: Scanned<Summary> }> {
  const estimate = table.estimatedRows ?? 0;
  if (estimate > UNCOUNTED_ROWS) {
    const summaries = await scan.summarise(columns, { rows, rowCount: estimate });
    if (summaries.scannedRows > 0) return { rowCount: estimate, isEstimated: true, summaries };
  }
  const rowCount = await scan.countRows();
  if (rowCount === 0) return { rowCount, isEstimated: false, summaries: { scannedRows: 0, found: [] } };
  return { rowCount, isEstimated: false, summaries: await scan.summarise(columns, { rows, rowCount }) };
}

/** Rows of a table or view, counted by the engine. */
export function countRows(database: Database, table: Table, signal?: AbortSignal): Promise<number> {
  return new TableScan(database, table, { signal }).countRows();
}

/** The values of a sample for every column; then, for texts, of all rows where that adds something. */
async function groupAll(
  scan: TableScan,
  progress: readonly Progress[],
  { database, size, pii }: { database: Database; size: SampleSize; pii: PiiSettings | undefined },
): Promise<void> {
  const few = size.rowCount <= EXACT_ROWS ? EXACT_ROWS : SAMPLE_ROWS;
  const sample = { ...size, rows: Math.min(few, size.rows) };
  const isWhole = size.rowCount <= sample.rows;
  const mayName = (entry: Progress): boolean =>
    (entry.column.family === 'text' || isDecidedByValues(database.dialect, entry.column)) &&
    !isProse(entry.summary) &&
    !hasOrder(entry, database);
  const group = async (
    entries: readonly Progress[],
    rows: SampleSize,
    keepOf: (entry: Progress) => number,
  ): Promise<void> => {
    if (entries.length === 0) return;
    const groupings = entries.map((entry) => ({
      column: entry.column,
      keep: keepOf(entry),
      // What the sample says of the order of values need not be found again in all rows.
      hasSteps: entry.groups === undefined && hasOrder(entry, database),
    }));
    const { scannedRows, sampledBy, found } = await scan.group(groupings, rows);
    for (const [index, entry] of entries.entries()) {
      const groups = found[index];
      if (groups === undefined) continue;
      const steps = groups.steps.length > 0 ? groups.steps : (entry.groups?.steps ?? []);
      Object.assign(entry, { groups: { ...groups, steps }, scannedRows, sampledBy });
    }
  };
  const kept = isWhole ? KEPT_VALUES : SHOWN_VALUES;
  await group(progress, sample, (entry) => (mayName(entry) ? kept : TOP_VALUES));
  if (isWhole) return;
  // One statement each: one that is too long for the engine spoils no other.
  for (const entry of progress.filter(mayName)) {
    const distinct = estimateDistinct(entry.groups, entry.summary.count) ?? 0;
    if (distinct <= MANY_VALUES && !isWithheld(entry, pii)) await group([entry], size, () => KEPT_VALUES);
  }
}

/**
 * All values of number and date columns with few of them, in one more statement. They do not go into the profile, whose
 * figures are all of one sample.
 */
async function groupLiterals(
  scan: TableScan,
  progress: readonly Progress[],
  {
    database,
    table,
    size,
    pii,
  }: { database: Database; table: Table; size: SampleSize; pii: PiiSettings | undefined },
): Promise<void> {
  const wanted = progress.filter((entry) => {
    const { column, summary, groups } = entry;
    const isPrimaryKey = table.primaryKey.includes(column.id);
    if (!hasOrder(entry, database) || isKeyLike({ column, isPrimaryKey })) return false;
    if (isWithheld(entry, pii)) return false;
    const distinct = estimateDistinct(groups, summary.count) ?? 0;
    return distinct > TOP_VALUES && distinct <= MAX_LITERALS;
  });
  if (wanted.length === 0) return;
  const groupings = wanted.map(({ column }) => ({ column, keep: MAX_LITERALS, hasSteps: false }));
  const { found } = await scan.group(groupings, size);
  for (const [index, entry] of wanted.entries()) Object.assign(entry, { literals: found[index] });
}

/** Whether quartiles mean something; where types are loose, the extremes tell whether dates stand in a text column. */
function hasOrder({ column, summary }: Progress, { dialect }: Database): boolean {
  const family = isDecidedByValues(dialect, column)
    ? familyOfValues(column.family, [summary.min, summary.max])
    : column.family;
  return family === 'number' || family === 'time';
}

/** What is withheld is not read beyond the sample that showed what it is. */
function isWithheld({ column, groups }: Progress, pii: PiiSettings | undefined): boolean {
  const values = (groups?.values ?? []).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  return findPii(column, values, pii)?.isWithheld === true;
}

function isProse({ lengths }: Summary): boolean {
  return (lengths?.mean ?? 0) > PROSE_CHARS;
}
