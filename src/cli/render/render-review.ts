/** Everything `candor review` says of a query: its marked parts, what is certain, what to do with it, and its repair. */
import type { UnusedWords } from '../../answer.ts';
import type { Repair, Review } from '../../answering/review/index.ts';
import { unreachable } from '../../errors.ts';
import { escapeControl, escapeControlKeepingLines } from '../../lib/index.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import type { Span } from '../../sql/dialects/span.ts';
import { formatSql } from '../../sql/index.ts';
import {
  type Assessment,
  type RiskAction,
  type RiskDecision,
  riskBand,
  type UnitRisk,
} from '../../uncertainty/index.ts';
import { fitText, percent, restsOn, type Style, textWidth } from './layout/text-layout.ts';

export interface ReviewCardOptions {
  /** Then a review without a repair says that there is none. */
  readonly isRepairAsked?: boolean;
}

export function renderReviewCard(
  review: Review,
  layout: ReviewLayout,
  { isRepairAsked = false }: ReviewCardOptions = {},
): string {
  const { style } = layout;
  const { stopsAt, faults, decision, repair, unsafe, broken, unused, basis, passesAt } = review;
  const certain = faults.map(
    ({ text, instead }) =>
      `  ${style.bold('certain')}  ${escapeControl(text)}${instead.length === 0 ? '' : style.dim(` (there is ${escapeControl(instead.join(', '))})`)}`,
  );
  const told = [
    ...certain,
    ...broken.map((text) => `  ${style.bold('not as defined')}  ${escapeControl(text)}`),
    ...unused.map((word) => unusedLine(word, style)),
  ];
  const { assessment, parts } = review;
  const rests = basis === undefined || unsafe !== undefined ? '' : `\n${style.dim(restsOn(basis))}`;
  const passes =
    passesAt === undefined || decision.action === 'answer' ? '' : ` It passes at a target of ${passesAt}.`;
  const blocks = [
    renderReview({ ...assessment, units: parts }, layout).trimEnd() + rests,
    ...(told.length === 0 ? [] : [told.join('\n')]),
    ...(stopsAt === undefined
      ? []
      : [`line ${stopsAt.line}, column ${stopsAt.column}: ${escapeControl(stopsAt.message)}`]),
    unsafe === undefined
      ? `${decisionLine(decision, style)}${passes}`
      : `${style.bold('Reject')}: ${escapeControl(decision.reason)}.`,
    ...(repair === undefined ? [] : [repairBlock(repair, layout)]),
    ...(isRepairAsked && repair === undefined && unsafe === undefined ? [noRepairLine(review)] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function unusedLine({ text, why }: UnusedWords, style: Style): string {
  const because = why === '' ? '' : style.dim(`: ${escapeControl(why)}`);
  return `  ${style.bold('not in the query')}  “${escapeControl(text)}”${because}`;
}

function decisionLine({ action, reason }: RiskDecision, style: Style): string {
  return `${style.bold(wordsOf(action))}: ${escapeControl(reason)}.`;
}

function wordsOf(action: RiskAction): string {
  switch (action) {
    case 'answer':
      return 'Answer';
    case 'warn':
      return 'Warn';
    case 'repair':
      return 'Repair';
    case 'abstain':
      return 'Abstain';
    default:
      return unreachable(action);
  }
}

function noRepairLine({ decision, assessment }: Review): string {
  if (decision.action === 'answer') return 'Nothing to repair.';
  // What cannot be read is not stored as a correction either.
  const isStorable = assessment.unreadBecause === undefined;
  const store = isStorable ? ', and store what it should have been with --question and --corrected' : '';
  return `No rule knows a repair: correct it by hand${store}.`;
}

function repairBlock({ sql, changes, verdict, assessment, decision }: Repair, layout: ReviewLayout): string {
  const { style } = layout;
  const lines = changes.map(
    ({ from, to, because }) =>
      `  ${escapeControl(from)} → ${style.bold(escapeControl(to))}  ${style.dim(escapeControl(because))}`,
  );
  const head = verdict.isAccepted
    ? style.green(`Repaired, the risk falls by ${Math.round(verdict.fall * 100)} points:`)
    : style.yellow(`A repair was tried and refused (${escapeControl(verdict.detail)}):`);
  if (!verdict.isAccepted) return [head, ...lines].join('\n');
  const repaired = renderReview({ ...assessment, sql }, layout).trimEnd();
  return [[head, ...lines].join('\n'), repaired, decisionLine(decision, style)].join('\n\n');
}

/** A review of a query for people: the SQL with its suspicious parts marked, why they are, and how sure the whole is. */
export interface ReviewLayout {
  readonly style: Style;
  readonly dialect: DialectName;
  /** Least probability a mark was made for; the assessment's own units are shown whatever it is. */
  readonly threshold?: number;
}

interface Mark extends Span {
  /** As the list below the SQL counts: 1 is the likeliest wrong. */
  readonly number: number;
  readonly isLikelyWrong: boolean;
}

const INDENT = '   ';
const LONGEST_UNIT = 60;

/**
 * SQL on one line is laid out first. With colour, parts are underlined, amber where suspicious, red where likely wrong;
 * without, a comment line below says the number of each, `~` and `^`, so that the text can still be copied and run.
 */
export function renderReview(assessment: Assessment, layout: ReviewLayout): string {
  const { units, queryRisk, unreadBecause } = assessment;
  const { style } = layout;
  const blocks = [sqlBlock(assessment, layout)];
  if (unreadBecause !== undefined) {
    blocks.push(style.red(`The query could not be looked at: ${escapeControl(unreadBecause)}.`));
    return `${blocks.join('\n\n')}\n`;
  }
  blocks.push(
    units.length === 0
      ? style.green('No part stands out.')
      : units.map((unit, index) => unitLines(unit, index + 1, layout)).join('\n'),
    `${style.bold('risk of the query')}  ${percent(queryRisk)}`,
  );
  return `${blocks.join('\n\n')}\n`;
}

function sqlBlock({ sql, units }: Assessment, { style, dialect, threshold }: ReviewLayout): string {
  const laidOut = sql.includes('\n') ? undefined : formatSql(sql, dialect);
  const marks = units.map(({ span, probability }, index) => ({
    ...(laidOut?.moveSpan(span) ?? span),
    number: index + 1,
    isLikelyWrong: riskBand(probability, threshold) === 'likely-wrong',
  }));
  let offset = 0;
  const lines = (laidOut?.text ?? sql).split('\n').flatMap((line) => {
    const onLine = clip(marks, offset, line.length);
    offset += line.length + 1;
    if (style.isOn) return [INDENT + painted(line, onLine, style)];
    return [INDENT + escapeControlKeepingLines(line), ...onLine.map((mark) => markLine(line, mark))];
  });
  return lines.join('\n');
}

/** The marks that touch a line, as columns of that line, from left to right. */
function clip(marks: readonly Mark[], offset: number, length: number): readonly Mark[] {
  return marks
    .map((mark) => ({
      ...mark,
      start: Math.max(0, mark.start - offset),
      end: Math.min(length, mark.end - offset),
    }))
    .filter(({ start, end }) => start < end)
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Where a mark stands inside another, the inner one shows. */
function painted(line: string, marks: readonly Mark[], style: Style): string {
  const edges = [...new Set([0, line.length, ...marks.flatMap(({ start, end }) => [start, end])])];
  edges.sort((a, b) => a - b);
  return edges
    .slice(1)
    .map((end, index) => {
      const start = edges[index] ?? 0;
      const text = escapeControlKeepingLines(line.slice(start, end));
      const inner = marks.findLast((mark) => mark.start <= start && end <= mark.end);
      if (inner === undefined) return text;
      return style.underline(inner.isLikelyWrong ? style.red(text) : style.yellow(text));
    })
    .join('');
}

function markLine(line: string, { start, end, number, isLikelyWrong }: Mark): string {
  const before = textWidth(escapeControlKeepingLines(line.slice(0, start)));
  const width = Math.max(1, textWidth(escapeControlKeepingLines(line.slice(start, end))));
  return `${'--'.padEnd(INDENT.length + before)}${(isLikelyWrong ? '^' : '~').repeat(width)} ${number}`;
}

function unitLines(unit: UnitRisk, number: number, { style, threshold }: ReviewLayout): string {
  const { kind, text, probability, reasons } = unit;
  const isLikelyWrong = riskBand(probability, threshold) === 'likely-wrong';
  const colour = isLikelyWrong ? style.red : style.yellow;
  const shown = fitText(escapeControl(text.replace(/\s+/g, ' ')), LONGEST_UNIT);
  const head = `${String(number).padStart(2)}  ${colour(percent(probability).padStart(5))}  ${kind} ${style.bold(shown)}`;
  return [head, ...reasons.map((reason) => `           ${style.dim(escapeControl(reason.text))}`)].join('\n');
}
