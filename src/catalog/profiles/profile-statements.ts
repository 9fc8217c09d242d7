/** The texts of the statements that profile a table, as every engine reads them. */

import type { Cell } from '../../sql/dialects/cell.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { quoteName } from '../../sql/dialects/index.ts';
import type { Column } from '../schema/catalog.ts';
import { isDecidedByValues } from '../schema/type-family.ts';
import { CARRIED_CHARS, fillTemplate, PROFILE_SQL } from './profile-sql.ts';
import type { RowSource } from './table-sample.ts';

/** Steps of 5 %: the quartiles and the ten bins of the histogram are among them. */
export const STEPS = 20;
/** Cells of one column in a row of the summary. */
export const SUMMARY_CELLS = 8;
/** Cells of a row of grouped values, by place. */
export const GROUP_CELLS = {
  column: 0,
  value: 1,
  count: 2,
  distinct: 3,
  once: 4,
  total: 5,
  upTo: 6,
  place: 7,
};

/** What is wanted of the values of a column. */
export interface Grouping {
  readonly column: Column;
  /** Most frequent values to keep. */
  readonly keep: number;
  /** There cannot be more values than are kept: they all come back, and their counts need not be added up. */
  readonly isComplete?: boolean;
  /** Also the values at 5 %, 10 %, … of the rows. */
  readonly hasSteps: boolean;
}

/** Whether values of the column can be compared; lists, structures and blobs are only counted. */
export function isComparable(column: Column, dialect: DialectName): boolean {
  if (PROFILE_SQL[dialect].countedOnly.test(column.type)) return false;
  return column.family !== 'other' || isDecidedByValues(dialect, column);
}

/** Counts, extremes, means and lengths of columns: one row comes back. */
export function summarySql(columns: readonly Column[], rows: RowSource, dialect: DialectName): string {
  const results = columns.flatMap((column) => summaryOf(column, dialect));
  return `SELECT ${['COUNT(*)', ...results].join(', ')} FROM ${rows.from}${where(rows.condition)}`;
}

function summaryOf(column: Column, dialect: DialectName): string[] {
  const name = `t.${quoteName(column.name, dialect)}`;
  const count = `COUNT(${name})`;
  if (!isComparable(column, dialect)) return [count, ...Array<string>(SUMMARY_CELLS - 1).fill('NULL')];
  const sql = PROFILE_SQL[dialect];
  const extremes = ['MIN', 'MAX'].map((extreme) => extremeOf(column, { extreme, name, dialect }));
  const mean = column.family === 'number' ? `AVG(${fillTemplate(sql.asNumber, name)})` : 'NULL';
  const hasText = column.family === 'text' || isDecidedByValues(dialect, column);
  const length = fillTemplate(sql.length, name);
  const lengths = ['MIN', 'AVG', 'MAX'].map((aggregate) => (hasText ? `${aggregate}(${length})` : 'NULL'));
  const nearlyDistinct = sql.onePass === undefined ? 'NULL' : fillTemplate(sql.onePass.nearlyDistinct, name);
  return [count, ...extremes, mean, ...lengths, nearlyDistinct];
}

/** The extremes of texts say little and cost much; where types are loose they show the stray number or date. */
function extremeOf(
  column: Column,
  {
    extreme,
    name,
    dialect,
  }: { readonly extreme: string; readonly name: string; readonly dialect: DialectName },
): string {
  const { cutText, asText } = PROFILE_SQL[dialect];
  if (column.family === 'text')
    return isDecidedByValues(dialect, column) ? `${extreme}(${fillTemplate(cutText, name)})` : 'NULL';
  if (column.family === 'other')
    return `${extreme}(CASE WHEN LENGTH(${name}) <= ${CARRIED_CHARS} THEN ${name} END)`;
  // Not every engine has an order of booleans; `false` stands before `true` as text, too.
  return `${extreme}(${column.family === 'boolean' ? fillTemplate(asText, name) : name})`;
}

/**
 * Groups the values of several columns, a branch for each over the same rows; the cells are `GROUP_CELLS`. The
 * first branch, column -1, counts the rows.
 */
export function groupSql(groupings: readonly Grouping[], source: RowSource, dialect: DialectName): string {
  const written = groupings.map(({ column }) => quoteName(column.name, dialect));
  const drawn = written.map((name, index) => `t.${name} AS c${index}`);
  const { isDrawnOnce } = source;
  const head = isDrawnOnce
    ? `WITH s AS (SELECT ${drawn.join(', ')} FROM ${source.from}${where(source.condition)}) `
    : '';
  const rows: Branch['rows'] = isDrawnOnce ? { from: 's AS t' } : source;
  const none = fillTemplate(PROFILE_SQL[dialect].asText, 'NULL');
  const count = `SELECT -1 AS c, ${none} AS v, COUNT(*) AS n, 0 AS d, 0 AS once, 0 AS total, 0 AS upto, 0 AS place FROM ${rows.from}${where(rows.condition)}`;
  const branches = groupings.map((grouping, index) =>
    branchSql(grouping, { index, name: `t.${isDrawnOnce ? `c${index}` : written[index]}`, rows, dialect }),
  );
  return head + [count, ...branches].join('\nUNION ALL ');
}

function where(...conditions: readonly (string | undefined)[]): string {
  const present = conditions.filter((condition) => condition !== undefined);
  return present.length === 0 ? '' : ` WHERE ${present.join(' AND ')}`;
}

interface Branch {
  readonly index: number;
  readonly name: string;
  readonly rows: Pick<RowSource, 'from' | 'condition'>;
  readonly dialect: DialectName;
}

function branchSql(
  { column, keep, isComplete, hasSteps }: Grouping,
  { index, name, rows, dialect }: Branch,
): string {
  const { textKey, orderText, cutText, asText, remainder } = PROFILE_SQL[dialect];
  const isText = column.family === 'text';
  const key = isText ? fillTemplate(textKey, name) : name;
  const orderOf = (value: string) => (isText ? fillTemplate(orderText, value) : value);
  const shown = fillTemplate(isText || isDecidedByValues(dialect, column) ? cutText : asText, 'w.v');
  const grouped = `SELECT ${key} AS v, COUNT(*) AS n FROM ${rows.from}${where(rows.condition, `${name} IS NOT NULL`)} GROUP BY ${key}`;
  if (isComplete && !hasSteps)
    return `SELECT ${index} AS c, ${shown} AS v, w.n, 0 AS d, 0 AS once, 0 AS total, 0 AS upto, 0 AS place FROM (${grouped}) AS w`;
  const totals = `g.v, g.n, COUNT(*) OVER () AS d, SUM(CASE WHEN g.n = 1 THEN 1 ELSE 0 END) OVER () AS once, SUM(g.n) OVER () AS total`;
  if (!hasSteps)
    return `SELECT * FROM (SELECT ${index} AS c, ${shown} AS v, w.n, w.d, w.once, w.total, 0 AS upto, 0 AS place
      FROM (SELECT ${totals} FROM (${grouped}) AS g) AS w ORDER BY w.n DESC, ${orderOf('w.v')} LIMIT ${keep}) AS b${index}`;
  const order = orderOf('g.v');
  // A step lies in a group when a multiple of the total lies in its part of the running sum.
  const beyond = fillTemplate(remainder, `(w.upto * ${STEPS})`, 'w.total');
  return `SELECT ${index} AS c, ${shown} AS v, w.n, w.d, w.once, w.total, w.upto, w.place
    FROM (SELECT ${totals}, SUM(g.n) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS upto,
        ROW_NUMBER() OVER (ORDER BY g.n DESC, ${order}) AS place FROM (${grouped}) AS g) AS w
    WHERE w.place <= ${keep} OR w.upto * ${STEPS} - ${beyond} > (w.upto - w.n) * ${STEPS}`;
}

/** Among equally frequent texts: an engine promises no order between the parts of a union. */
export function compareCells(a: Cell | undefined, b: Cell | undefined): number {
  if (typeof a !== 'string' || typeof b !== 'string') return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}
