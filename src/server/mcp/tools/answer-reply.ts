/** The five outcomes of a question in few fields: what a model needs to go on or to report. */
import { z } from 'zod';
import type { Answer, Answered, Assumption } from '../../../answer.ts';
import { toJsonValue } from '../../../results/index.ts';
import type { ToolReply } from '../answer-tool-call.ts';
import { dataBlock } from '../data-block.ts';
import type { findBack } from './find-back.ts';

const SHOWN_ROWS = 10;

export const ROW_FIELDS = {
  columns: z.array(z.string()).optional(),
  rows: z.array(z.array(z.unknown())).optional(),
  rowCount: z.int().optional(),
  truncated: z.boolean().optional(),
};
export const UNTRUSTED = { untrusted: z.array(z.string()) };

export const ANSWER_FIELDS = z.object({
  kind: z.enum(['answered', 'clarify', 'follow_up', 'reject', 'abstain']),
  recordId: z.string(),
  message: z.string(),
  sql: z.string().optional(),
  ...ROW_FIELDS,
  risk: z.number().optional().describe('Probability that it is wrong'),
  doubts: z.array(z.string()).optional(),
  assumptions: z
    .array(z.object({ id: z.string().optional(), text: z.string(), choices: z.array(z.string()).optional() }))
    .optional(),
  options: z.array(z.object({ label: z.string(), question: z.string() })).optional(),
  missing: z.string().optional(),
  nearest: z.array(z.string()).optional(),
  ...UNTRUSTED,
});

type Fields = z.infer<typeof ANSWER_FIELDS>;
type Shown =
  | Exclude<Answer, { readonly kind: 'clarify' | 'follow_up' }>
  | Awaited<ReturnType<typeof findBack>>;

/** An outcome as a tool tells it, with so many rows at most. */
export function answerReply(answer: Shown, limit: number): ToolReply {
  const { kind, recordId } = answer;
  const fields: Fields = { kind, recordId, ...fieldsOf(answer, limit) };
  return { fields, text: textOf(fields) };
}

function fieldsOf(answer: Shown, limit: number): Omit<Fields, 'kind' | 'recordId'> {
  switch (answer.kind) {
    case 'answered':
      return answeredFields(answer, limit);
    case 'clarify':
    case 'follow_up':
      return { message: answer.ask, options: optionsOf(answer.options), untrusted: ['message', 'options'] };
    case 'reject': {
      const { message, missing, nearest } = answer;
      return { message, missing, nearest: [...nearest], untrusted: ['message', 'nearest'] };
    }
    case 'abstain':
      return { message: answer.reason, options: optionsOf(answer.candidates), untrusted: ['options'] };
  }
}

function answeredFields(answer: Answered, limit: number): Omit<Fields, 'kind' | 'recordId'> {
  const { explanation, sql, columns, rows, risk, unassessed, truncatedBy } = answer;
  const isRun = answer.checks.some(({ name, passed }) => name === 'execute' && passed);
  const units = risk?.units.map(({ text, reasons }) => `${text}: ${reasons.join('; ')}`) ?? [];
  const doubts = unassessed === undefined ? units : [`not assessed: ${unassessed}`];
  return {
    ...{ message: explanation, sql },
    ...(isRun && rowFields({ columns, rows, truncatedBy }, limit)),
    ...(risk !== undefined && { risk: risk.queryRisk }),
    ...(doubts.length > 0 && { doubts }),
    ...(answer.assumptions.length > 0 && { assumptions: answer.assumptions.map(assumptionOf) }),
    ...(answer.alternatives.length > 0 && { options: optionsOf(answer.alternatives) }),
    untrusted: ['rows', 'columns', 'message', 'options'],
  };
}

/** Rows as JSON, cut at the limit of the call. */
export function rowFields(
  { columns, rows, truncatedBy }: Pick<Answered, 'columns' | 'rows' | 'truncatedBy'>,
  limit: number,
) {
  return {
    columns: [...columns],
    rows: rows.slice(0, limit).map((row) => row.map(toJsonValue)),
    rowCount: rows.length,
    truncated: truncatedBy !== null || rows.length > limit,
  };
}

export function assumptionOf({
  id,
  text,
  alternatives,
}: Assumption): NonNullable<Fields['assumptions']>[number] {
  const choices = alternatives?.map(({ choice }) => choice) ?? [];
  return { text, ...(id !== undefined && { id }), ...(choices.length > 0 && { choices }) };
}

function optionsOf(options: readonly { readonly label: string; readonly question: string }[]) {
  return options.map(({ label, question }) => ({ label, question }));
}

function textOf({
  kind,
  message,
  sql,
  risk,
  recordId,
  options = [],
  assumptions = [],
  ...rest
}: Fields): string {
  const { columns, rows, missing, nearest = [] } = rest;
  const lines = [
    `${kind}${risk === undefined ? '' : `, ${Math.round(100 * risk)} % likely wrong`}: ${message}`,
    ...(sql === undefined ? [] : [`SQL: ${sql}`]),
    ...(rows === undefined || columns === undefined ? [] : [rowText({ ...rest, columns, rows })]),
    ...assumptions.map(({ id, text }) => `assumed${id === undefined ? '' : ` (${id})`}: ${text}`),
    ...(missing === undefined ? [] : [`missing: ${missing}; nearest: ${nearest.join(', ') || 'nothing'}`]),
    ...(kind === 'answered'
      ? []
      : options.map(({ label, question }, at) => `${at + 1}. ${label}: ${question}`)),
    `record: ${recordId}`,
  ];
  return lines.join('\n');
}

/** The first rows as text; the fields have all that the call may have. */
export function rowText({
  columns,
  rows,
  rowCount = 0,
  truncated,
}: Required<Pick<Fields, 'columns' | 'rows'>> & Pick<Fields, 'rowCount' | 'truncated'>): string {
  const shown = rows.slice(0, SHOWN_ROWS);
  const more = rowCount > shown.length || truncated === true ? `, ${shown.length} shown here` : '';
  return `${rowCount} rows${truncated === true ? ' or more' : ''}${more}\n${dataBlock([columns, ...shown])}`;
}
