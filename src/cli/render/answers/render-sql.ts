import type { Evidence } from '../../../answer.ts';
import { escapeControl, escapeControlKeepingLines } from '../../../lib/index.ts';
import type { DialectName } from '../../../sql/dialects/dialect.ts';
import { formatSql } from '../../../sql/index.ts';
import type { Style } from '../layout/text-layout.ts';
import { textWidth } from '../layout/text-layout.ts';

export interface SqlLayout {
  readonly dialect: DialectName;
  readonly style: Style;
}

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly note: string;
}

const INDENT = '   ';

/**
 * SQL on several lines with the assumed and uncertain parts marked: underlined on a terminal, elsewhere by a
 * comment line below, so that the text can still be copied and run.
 */
export function renderSql(sql: string, evidence: readonly Evidence[], { dialect, style }: SqlLayout): string {
  const { text, moveSpan } = formatSql(sql, dialect);
  const marks = evidence
    .filter(({ certainty }) => certainty !== 'stated')
    .map(({ sqlSpan, certainty, why }) => ({ ...moveSpan(sqlSpan), note: `${certainty}: ${why}` }))
    .sort((a, b) => a.start - b.start);
  let offset = 0;
  const lines = text.split('\n').flatMap((line) => {
    const onLine = clip(marks, offset, line.length);
    offset += line.length + 1;
    if (style.isOn) return [INDENT + underline(line, onLine, style)];
    return [INDENT + escapeControlKeepingLines(line), ...onLine.map((mark) => markLine(line, mark))];
  });
  if (style.isOn)
    for (const note of new Set(marks.map((mark) => mark.note)))
      lines.push(style.dim(`${INDENT}${style.underline('underlined')}: ${escapeControl(note)}`));
  return lines.join('\n');
}

/** The marks that touch a line, as columns of that line. */
function clip(marks: readonly Mark[], offset: number, length: number): Mark[] {
  return marks
    .map(({ start, end, note }) => ({
      start: Math.max(0, start - offset),
      end: Math.min(length, end - offset),
      note,
    }))
    .filter(({ start, end }) => start < end);
}

function underline(line: string, marks: readonly Mark[], style: Style): string {
  let painted = '';
  let at = 0;
  for (const { start, end } of marks) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    painted += escapeControlKeepingLines(line.slice(at, from));
    painted += style.underline(style.yellow(escapeControlKeepingLines(line.slice(from, end))));
    at = end;
  }
  return painted + escapeControlKeepingLines(line.slice(at));
}

function markLine(line: string, { start, end, note }: Mark): string {
  const column = INDENT.length + textWidth(line.slice(0, start));
  const tildes = '~'.repeat(Math.max(1, textWidth(line.slice(start, end))));
  // `--` first: a marked query that is copied whole still runs.
  return `${'--'.padEnd(column)}${tildes} ${escapeControl(note)}`;
}
