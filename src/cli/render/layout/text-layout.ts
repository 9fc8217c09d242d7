import { escapeControl } from '../../../lib/index.ts';
import { figureOf } from '../../../results/index.ts';
import type { Cell } from '../../../sql/dialects/cell.ts';

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

/** `counted(1, 'row')` → `1 row`; `counted(2, 'row')` → `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Of a probability; what is not certain is not shown as such. */
export function percent(probability: number): string {
  const whole = Math.round(probability * 100);
  if (whole === 100 && probability < 1) return '>99 %';
  if (whole === 0 && probability > 0) return '<1 %';
  return `${whole} %`;
}

/** What a risk rests on: `of 104 like this 7 were wrong (measured on 1,145, 31 of this project)`. */
export function restsOn({
  wrong,
  of,
  measured,
  own,
}: {
  readonly wrong: number;
  readonly of: number;
  readonly measured: number;
  readonly own?: number;
}): string {
  const here = own === undefined ? '' : `, ${inThousands(own)} of this project`;
  const all = measured === of && own === undefined ? '' : ` (measured on ${inThousands(measured)}${here})`;
  return `of ${inThousands(of)} like this ${inThousands(wrong)} were wrong${all}`;
}

/** A whole number with a comma before each three digits. The formatter of a language takes longer to load than the answer to print. */
function inThousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Whether a target is promised of the project, and what is lacking: `a target of 0.05 is not promised of this project: 38 more labelled answers are needed`. */
export function promiseText({
  target,
  isOwn,
  labelsNeeded,
}: {
  readonly target: number;
  readonly isOwn: boolean;
  readonly labelsNeeded?: number;
}): string {
  if (isOwn) return `a target of ${target} is promised by answers of this project`;
  const lacking =
    labelsNeeded === undefined
      ? 'too many are wrong for any number of labelled answers'
      : `${inThousands(labelsNeeded)} more labelled answers are needed`;
  return `a target of ${target} is not promised of this project: ${lacking}`;
}

/** Made where a text needs it: most are plain, and its tables take 10 ms to read. */
let segmenter: Intl.Segmenter | undefined;

// East Asian wide and full-width blocks (Unicode TR 11); emoji are found by their property.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const PLAIN = /^[\u0020-\u007e]*$/;

/** The columns a text takes on a terminal: 2 for East Asian wide characters and emoji. `東京 1` → 6. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += graphemeWidth(segment);
  return width;
}

/** Cuts a text to a width and ends it with `…` when something was cut. */
export function fitText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of graphemes(text)) {
    used += graphemeWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

function graphemeWidth(grapheme: string): number {
  if (/^[\p{M}\u200b-\u200d\ufeff]+$/u.test(grapheme)) return 0;
  return WIDE.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1;
}

function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** Ways to set text apart on a terminal; every one returns the text unchanged where colour is not wanted. */
export interface Style {
  readonly isOn: boolean;
  bold(text: string): string;
  dim(text: string): string;
  underline(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}

/** Builds the style for one output. */
export function makeStyle(isOn: boolean): Style {
  const wrap = (open: number, close: number) => (text: string) =>
    isOn && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    isOn,
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    underline: wrap(4, 24),
    green: wrap(32, 39),
    yellow: wrap(33, 39),
    red: wrap(31, 39),
  };
}
