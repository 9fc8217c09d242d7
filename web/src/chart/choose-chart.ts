import type { Answered, Cell, Rows } from '../api/contract.ts';
import { figureOf } from '../cards/read-figure.ts';

export type ChartSpec = NonNullable<Answered['chart']>;

const MOST_BARS = 60;
const PERIOD = /^\d{4}(?:-(?:\d{2}|Q[1-4]|W\d{2}))?(?:-\d{2})?(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/;

/**
 * How rows may be drawn, told by what stands in them: periods as a line, few names as bars, two numbers as points; a middle
 * column of names makes series. Undefined where none of it fits.
 */
export function chooseChart(columns: readonly string[], rows: Rows): ChartSpec | undefined {
  if (rows.length < 2 || columns.length < 2) return undefined;
  const kinds = columns.map((_, at) => kindOf(rows.map((row) => row[at] ?? null)));
  const along = kinds.indexOf('period');
  const name = kinds.indexOf('name');
  const numbers = columns.filter((_, at) => kinds[at] === 'number');
  const x = columns[along >= 0 ? along : name];
  if (x === undefined) {
    const [one, other] = numbers;
    return one !== undefined && other !== undefined && numbers.length === 2 && rows.length > 2
      ? { kind: 'scatter', x: one, y: [other] }
      : undefined;
  }
  if (numbers.length === 0 || kinds.includes('other')) return undefined;
  const series = columns.find((column, at) => kinds[at] === 'name' && column !== x);
  if (kinds.filter((kind) => kind === 'name').length > (along >= 0 ? 1 : 2)) return undefined;
  if (along < 0 && rows.length > MOST_BARS) return undefined;
  const y = series === undefined ? numbers : numbers.slice(0, 1);
  return { kind: along >= 0 ? 'line' : 'bar', x, y, ...(series !== undefined && { series }) };
}

/** Kinds that the same rows can be drawn as. */
export function kindsFor(
  spec: ChartSpec,
  rows: Rows,
  columns: readonly string[],
): readonly ChartSpec['kind'][] {
  if (spec.kind === 'scatter') return ['scatter'];
  const at = columns.indexOf(spec.y[0] ?? '');
  const isShare =
    spec.series === undefined &&
    spec.y.length === 1 &&
    rows.length <= 12 &&
    rows.every((row) => (figureOf(row[at] ?? null) ?? -1) >= 0);
  return isShare ? ['bar', 'line', 'pie'] : ['bar', 'line'];
}

function kindOf(cells: readonly Cell[]): 'period' | 'name' | 'number' | 'other' {
  const stored = cells.filter((cell) => cell !== null);
  if (stored.length === 0) return 'other';
  const figures = stored.flatMap((cell) => figureOf(cell) ?? []);
  if (figures.length === stored.length) return isYears(figures) ? 'period' : 'number';
  if (stored.every((cell) => typeof cell === 'string'))
    return stored.every((cell) => PERIOD.test(cell)) ? 'period' : 'name';
  return 'other';
}

/** Whole numbers that are years, each once in order: an axis, no figures. */
function isYears(cells: readonly number[]): boolean {
  return cells.every(
    (cell, at) =>
      Number.isInteger(cell) && cell >= 1900 && cell <= 2100 && (at === 0 || cell > (cells[at - 1] ?? 0)),
  );
}
