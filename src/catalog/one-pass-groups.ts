/** The values of all columns of a sample in one pass and one row, for engines that read it anew for every part of a statement. */
import type { Cell } from '../sql/cell.ts';
import type { DialectName } from '../sql/dialect.ts';
import { fillTemplate } from './fill-template.ts';
import { type OnePassSql, PROFILE_SQL } from './profile-sql.ts';
import { type Grouping, STEPS } from './profile-statements.ts';
import { quoteName } from './quote-name.ts';
import type { RowSource } from './table-sample.ts';
import type { Groups } from './value-groups.ts';

/** Of a column: rows with a value, distinct values, those that stand there once, the most frequent, the steps. */
const CELLS = 5;
/** 0.05, 0.10, … 1.00. */
const SHARES = Array.from({ length: STEPS }, (_, step) => ((step + 1) / STEPS).toFixed(2));

/** The number of rows, then five cells for each column. */
export function onePassSql(
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

export function readOnePass(
  groupings: readonly Grouping[],
  rows: readonly (readonly Cell[])[],
): { readonly scannedRows: number; readonly found: readonly Groups[] } {
  const [row = []] = rows;
  const found = groupings.map((_, index) => toGroups(row.slice(1 + index * CELLS, 1 + (index + 1) * CELLS)));
  return { scannedRows: Number(row[0] ?? 0), found };
}

function toGroups([count, distinct, once, top, steps]: readonly Cell[]): Groups {
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
