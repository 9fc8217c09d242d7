import type { Chart, ChartKind } from '../answer.ts';
import type { QueryResult } from '../database/index.ts';
import { figureOf } from '../results/index.ts';
import type { Cell } from '../sql/cell.ts';

/** A chart of rows, or why they make none. */
export type SuggestedChart = { readonly chart: Chart } | { readonly undrawn: string };

/** A period as text: `2024`, `2024-03`, `2024-Q1`, `2024-W07`, `2024-03-31 10:00`. */
const PERIOD = /^\d{4}(?:-(?:\d\d|Q[1-4]|W\d\d)(?:-\d\d(?:[T ].*)?)?)?$/;

/**
 * How the rows of an answer may be drawn in the way that was asked for: the period or the first name along the axis,
 * every figure against it, a second name as one series each.
 */
export function suggestChart(
  asked: ChartKind | 'fitting',
  { columns, rows }: Pick<QueryResult, 'columns' | 'rows'>,
): SuggestedChart {
  if (rows.length === 0) return { undrawn: 'there are no rows' };
  const cells = columns.map((_column, place) => rows.map((row) => row[place] ?? null));
  const isPeriod = columns.map((name, place) => holdsPeriods(name, cells[place] ?? []));
  const isFigure = columns.map((_column, place) => !isPeriod[place] && isFigureColumn(cells[place] ?? []));
  const names = columns.filter((_column, place) => !isFigure[place]);
  const figures = columns.filter((_column, place) => isFigure[place]);
  const period = columns.find((_column, place) => isPeriod[place]);
  if (asked === 'scatter' && figures.length >= 2) {
    const [x = '', ...y] = figures;
    return { chart: { kind: 'scatter', x, y } };
  }
  const x = period ?? names[0] ?? (figures.length > 1 ? figures[0] : undefined);
  const y = figures.filter((name) => name !== x);
  if (y.length === 0) return { undrawn: 'there is no figure to draw' };
  if (x === undefined) return { undrawn: 'there is nothing to set the figure against' };
  const series = names.find((name) => name !== x);
  const kind = asked === 'fitting' ? (period === undefined ? 'bar' : 'line') : asked;
  return { chart: { kind, x, y, ...(series !== undefined && { series }) } };
}

function isFigureColumn(cells: readonly Cell[]): boolean {
  const present = cells.filter((cell) => cell !== null);
  return present.length > 0 && present.every((cell) => figureOf(cell) !== undefined);
}

/** Years as numbers need the name of the column to tell them from figures. */
function holdsPeriods(name: string, cells: readonly Cell[]): boolean {
  if (/year/i.test(name) && cells.every((cell) => cell === null || /^\d{4}$/.test(String(cell)))) return true;
  return cells.every((cell) => typeof cell === 'string' && PERIOD.test(cell));
}
