/** How a question was read, for people: its words, the readings with the rules that made them, and what would follow. */

import type { ExplainedDecision, ExplainedQuestion, ExplainedReading } from '../../../answering/index.ts';
import { escapeControl, escapeControlKeepingLines } from '../../../lib/index.ts';
import type { DialectName } from '../../../sql/dialects/dialect.ts';
import { formatSql } from '../../../sql/index.ts';
import type { Style } from '../layout/text-layout.ts';
import { percent, renderTable } from '../layout/text-layout.ts';

export interface ExplainedLayout {
  readonly style: Style;
  readonly dialect: DialectName;
  readonly width?: number;
}

export function renderExplained(explained: ExplainedQuestion, layout: ExplainedLayout): string {
  const { question, readAs, readings, decision } = explained;
  const { style } = layout;
  const blocks = [
    ...(readAs === question ? [] : [`${style.bold('read as')}  ${escapeControl(readAs)}`]),
    ...wordsBlock(explained, layout),
    ...readings.map((reading, at) => readingBlock(reading, at + 1, layout)),
    `${style.bold('ask would')}  ${escapeControl(outcomeOf(decision))}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function wordsBlock({ mentions, unexplained }: ExplainedQuestion, layout: ExplainedLayout): string[] {
  if (mentions.length === 0) return [];
  const starts = new Set(unexplained.map(({ span }) => span.start));
  const rows = mentions.map(({ text, meaning, span }) => [
    text,
    starts.has(span.start) ? 'not understood' : meaning,
  ]);
  return [renderTable(['words', 'taken for'], rows, layout).trimEnd()];
}

function readingBlock(
  reading: ExplainedReading,
  number: number,
  { style, dialect }: ExplainedLayout,
): string {
  const { sql, probability, explanation, rules, assumptions, parts } = reading;
  const line = (name: string, text: string): string => `   ${style.dim(name)}  ${escapeControl(text)}`;
  const because = (part: string): string => `“${escapeControl(part)}” because of`;
  const laidOut = formatSql(sql, dialect).text.split('\n');
  const causes = new Set(parts.map((part) => line(because(part.sql), part.because)));
  return [
    `${style.bold(`reading ${number}`)}  ${percent(probability)} sure: ${escapeControl(explanation)}`,
    ...laidOut.map((text) => `   ${escapeControlKeepingLines(text)}`),
    ...causes,
    ...(rules.length === 0 ? [] : [line('rules', rules.join(', '))]),
    ...assumptions.map(({ text }) => line('assumed', text)),
  ].join('\n');
}

function outcomeOf(decision: ExplainedDecision): string {
  if (decision.kind === 'sql') return 'answer with the first reading that passes its checks';
  if (decision.kind === 'abstain') return `abstain: ${decision.reason}`;
  const { boundary } = decision;
  if (boundary.kind === 'reject') return `refuse (${boundary.reason}): ${boundary.message}`;
  const options = boundary.options.map(({ label }) => label).join(', ');
  return `ask back: ${boundary.ask}${options === '' ? '' : ` (${options})`}`;
}
