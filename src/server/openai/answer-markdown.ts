import { type Answer, type Answered, isRun, type Option } from '../../answer.ts';
import type { Cell } from '../../sql/cell.ts';
import { escapeControl, escapeControlKeepingLines } from '../../text/index.ts';

const MOST_ROWS = 50;
const MOST_CELL = 200;

/** An answer as Markdown for clients that only know text. Names and cells are data: nothing in them becomes markup. */
export function answerMarkdown(answer: Answer): string {
  const parts = partsOf(answer);
  return [...parts, `Record: \`${answer.recordId}\``].join('\n\n');
}

/** The record that a text of `answerMarkdown` ends with. */
export function recordIn(markdown: string): string | undefined {
  return /(?:^|\n)Record: `([\w-]{1,100})`\s*$/.exec(markdown)?.[1];
}

function partsOf(answer: Answer): readonly string[] {
  switch (answer.kind) {
    case 'answered':
      return answeredParts(answer);
    case 'clarify':
    case 'follow_up':
      return [escaped(answer.ask), numbered(answer.options)];
    case 'reject':
      return [
        escaped(answer.message),
        ...(answer.nearest.length === 0 ? [] : [`Nearest: ${answer.nearest.map(escaped).join(', ')}`]),
      ];
    case 'abstain':
      return [
        escaped(answer.reason),
        ...answer.candidates.flatMap(({ label, sql }) => [
          escaped(label),
          ...(sql === undefined ? [] : [codeBlock(sql)]),
        ]),
      ];
  }
}

function answeredParts(answer: Answered): readonly string[] {
  const { explanation, sql, assumptions, risk } = answer;
  const taken = assumptions.map(({ text }) => `- ${escaped(text)}`).join('\n');
  return [
    escaped(explanation),
    isRun(answer) ? tableOf(answer) : 'The query was not run.',
    ...(risk?.action === 'warn'
      ? [`Likely wrong with probability ${risk.queryRisk.toFixed(2)}: check it before you use it.`]
      : []),
    ...(taken === '' ? [] : [`Assumed:\n${taken}`]),
    ...(sql === '' ? [] : [codeBlock(sql)]),
  ];
}

function tableOf({ columns, rows, truncatedBy, notices = [] }: Answered): string {
  const line = (cells: readonly Cell[]): string => `| ${cells.map(cellText).join(' | ')} |`;
  const shown = rows.slice(0, MOST_ROWS);
  const more = rows.length - shown.length;
  const isCut = truncatedBy !== null;
  return [
    line(columns),
    `|${columns.map(() => ' --- |').join('')}`,
    ...shown.map(line),
    ...(more > 0 ? [`\n${more} more rows`] : []),
    ...(isCut ? [`\nThe result was cut at the limit of ${truncatedBy}.`] : []),
    ...notices.map(({ text }) => `\n${escaped(text)}`),
  ].join('\n');
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  const text = cell instanceof Uint8Array ? `${cell.length} bytes` : String(cell);
  return escaped(text.length > MOST_CELL ? `${text.slice(0, MOST_CELL)}…` : text);
}

function numbered(options: readonly Option[]): string {
  return options.map(({ label }, at) => `${at + 1}. ${escaped(label)}`).join('\n');
}

/** On one line, with every sign that Markdown or HTML would read as markup written out. */
function escaped(text: string): string {
  return escapeControl(text.replace(/\s+/gu, ' ')).replace(/[\\`*_{}[\]<>()#+!|~&]/g, (sign) => `\\${sign}`);
}

/** A fence longer than any run of back-ticks in the text. */
function codeBlock(sql: string): string {
  const longest = Math.max(0, ...(sql.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}sql\n${escapeControlKeepingLines(sql)}\n${fence}`;
}
