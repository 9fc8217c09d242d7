/** Which rows of a table a statement reads, and how it says so. */

import type { DialectName } from '../../sql/dialects/dialect.ts';
import type { SampleMethod, Table } from '../schema/catalog.ts';
import { tableName } from '../schema/table-names.ts';
import { PROFILE_SQL } from './profile-sql.ts';

/** Of a table with no more rows every row may be read for a sample. */
const SMALL_ROWS = 10_000_000;

/** What stands behind FROM, called `t`, and how its rows were chosen; no method: they are all there. */
export interface RowSource {
  readonly from: string;
  /** What its rows must also meet to be in the sample. */
  readonly condition?: string;
  readonly method?: SampleMethod;
  /** Whether a statement names it once for all its parts. */
  readonly isDrawnOnce: boolean;
}

/** The rows an engine comes by first: what every table and view can give, the least random of all samples. */
export function firstRows(table: Table, dialect: DialectName, rows: number): RowSource {
  const from = `(SELECT * FROM ${tableName(table, dialect)} LIMIT ${rows}) AS t`;
  return { from, method: 'first rows', isDrawnOnce: PROFILE_SQL[dialect].sample.isDrawnOnce };
}

/** About `rows` of the table's `rowCount` rows, all where there are no more. */
export function sampleRows(
  table: Table,
  dialect: DialectName,
  { rows, rowCount }: { readonly rows: number; readonly rowCount: number },
): RowSource {
  const from = `${tableName(table, dialect)} AS t`;
  if (rowCount <= rows) return { from, isDrawnOnce: false };
  const { sample, smallSample = sample } = PROFILE_SQL[dialect];
  const { clause, condition, method, isDrawnOnce } = rowCount <= SMALL_ROWS ? smallSample : sample;
  // A view has no blocks and no row ids; a column of that name would stand for the row id.
  const hidesRowId = table.columns.some((column) => column.name.toLowerCase() === 'rowid');
  if (table.kind === 'view' || (condition?.includes('rowid') && hidesRowId))
    return firstRows(table, dialect, rows);
  const share = rows / rowCount;
  const fill = (template: string): string =>
    template
      .replace('{percent}', decimal(share * 100))
      .replace('{share}', decimal(share))
      .replace('{million}', String(Math.ceil(share * 1_000_000)));
  return {
    from: clause === undefined ? from : `${from} ${fill(clause)}`,
    ...(condition === undefined ? {} : { condition: fill(condition) }),
    method,
    isDrawnOnce,
  };
}

/** Without an exponent, which some engines do not read: `0.000012`. */
function decimal(value: number): string {
  return value.toFixed(8).replace(/0+$/, '0');
}
