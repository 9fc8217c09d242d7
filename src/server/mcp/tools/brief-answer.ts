import { z } from 'zod';
import type { Answer, Answered, Option } from '../../../answer.ts';

/** Rows that a model reads; the rest is counted. */
export const MOST_ROWS = 50;

const LABELS = z.array(z.string());
export const CELLS = z.array(z.array(z.unknown()));

/** An answer in few words, of whichever kind. */
export const BRIEF_ANSWER = z.object({
  outcome: z.enum(['answered', 'clarify', 'follow_up', 'reject', 'abstain']),
  message: z.string(),
  recordId: z.string(),
  sql: z.string().optional(),
  columns: LABELS.optional(),
  rows: CELLS.optional(),
  rowCount: z.number().optional(),
  sure: z.number().optional(),
  doubts: LABELS.optional(),
  assumptions: LABELS.optional(),
  options: LABELS.optional(),
});
export type BriefAnswer = z.infer<typeof BRIEF_ANSWER>;

export function briefAnswer(answer: Answer): BriefAnswer {
  const base = { outcome: answer.kind, recordId: answer.recordId };
  switch (answer.kind) {
    case 'answered':
      return { ...base, ...briefRows(answer) };
    case 'clarify':
    case 'follow_up':
      return { ...base, message: answer.ask, options: labels(answer.options) };
    case 'reject':
      return { ...base, message: answer.message, options: [...answer.nearest] };
    case 'abstain':
      return { ...base, message: answer.reason, options: answer.candidates.map(({ question }) => question) };
  }
}

function briefRows(answer: Answered): Omit<BriefAnswer, 'outcome' | 'recordId'> {
  const { explanation, sql, columns, rows, probability, risk, assumptions } = answer;
  const doubts = risk?.action === 'warn' ? risk.units.slice(0, 3) : [];
  return {
    message: rows.length > MOST_ROWS ? `${explanation}; the first ${MOST_ROWS} rows` : explanation,
    sql,
    columns: [...columns],
    rows: rows.slice(0, MOST_ROWS).map((row) => [...row]),
    rowCount: rows.length,
    ...(probability !== undefined && { sure: Math.round(probability * 100) / 100 }),
    ...(doubts.length > 0 && { doubts: doubts.map(({ text, reasons }) => `${text}: ${reasons.join('; ')}`) }),
    assumptions: assumptions.map(({ id, text, alternatives = [] }) => {
      const choices = alternatives.map(({ choice }) => choice);
      return choices.length === 0 ? text : `${text} (${id}: ${choices.join(', ')})`;
    }),
  };
}

function labels(options: readonly Option[]): string[] {
  return options.map(({ label }) => label);
}
