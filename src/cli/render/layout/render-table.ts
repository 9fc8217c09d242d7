import { escapeControl } from '../../../lib/index.ts';
import { figureOf } from '../../../results/index.ts';
import type { Cell } from '../../../sql/dialects/cell.ts';
import type { Style } from './style.ts';
import { fitText, textWidth } from './text-width.ts';

export interface TableLayout {
  readonly style: Style;
  /** Width of the terminal; absent: as wide as the data, for pipes and files. */
  readonly width?: number;
  readonly indent?: string;
}

const GAP = '  ';
const MIN_COLUMN = 6;
const MAX_COLUMN = 60;

/** Lays out rows for people: aligned by display width, numbers right, NULL set apart, cuts said. */
export function renderTable(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  { style, width = Number.POSITIVE_INFINITY, indent = '' }: TableLayout,
): string {
  const texts = rows.map((row) => columns.map((_, index) => cellText(row[index] ?? null)));
  const heads = columns.map(escapeControl);
  const natural = heads.map((head, index) =>
    Math.min(MAX_COLUMN, Math.max(textWidth(head), ...texts.map((row) => textWidth(row[index]!)), 1)),
  );
  const widths = shrink(natural, width - indent.length);
  const isNumeric = columns.map(
    (_, index) => rows.length > 0 && rows.every((row) => isNumber(row[index] ?? null)),
  );
  const line = (cells: readonly string[], paint: (text: string, index: number) => string) =>
    indent +
    widths
      .map((size, index) => {
        const text = fitText(cells[index]!, size);
        const space = ' '.repeat(size - textWidth(text));
        return isNumeric[index] ? space + paint(text, index) : paint(text, index) + space;
      })
      .join(GAP)
      .trimEnd();
  const lines = [
    line(heads, (text) => style.bold(text)),
    indent + widths.map((size) => '─'.repeat(size)).join(GAP),
    ...texts.map((cells, row) =>
      line(cells, (text, column) => ((rows[row]![column] ?? null) === null ? style.dim(text) : text)),
    ),
  ];
  const hidden = columns.length - widths.length;
  if (hidden > 0)
    lines.push(
      `${indent}${style.dim(`${hidden} more ${hidden === 1 ? 'column' : 'columns'}; --output csv shows all`)}`,
    );
  return lines.join('\n');
}

/** One value as a person reads it, on one line. */
export function cellText(cell: Cell): string {
  if (cell === null) return 'NULL';
  if (cell instanceof Uint8Array) {
    const head = Buffer.from(cell.subarray(0, 8)).toString('hex');
    return cell.length > 8 ? `x'${head}…' (${cell.length} bytes)` : `x'${head}'`;
  }
  // 15 digits are what a double holds; the 17th shows noise such as 0.30000000000000004.
  if (typeof cell === 'number') return String(Number(cell.toPrecision(15)));
  return escapeControl(String(cell));
}

function isNumber(cell: Cell): boolean {
  return cell === null || figureOf(cell) !== undefined;
}

/** Narrows the widest columns until the table fits; drops columns at the end when even that is too wide. */
function shrink(natural: readonly number[], available: number): number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
  while (total() > available) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! > MIN_COLUMN) widths[widest]!--;
    else if (widths.length > 1) widths.pop();
    else break;
  }
  return widths;
}
