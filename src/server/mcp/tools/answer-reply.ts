/** The five outcomes of a question in few fields: what a model needs to go on or to report. */
import { z } from 'zod';
import {
  type Answer,
  type Answered,
  type Assumption,
  type Clarify,
  type FollowUp,
  isRun,
} from '../../../answer.ts';
import { choiceEffectText } from '../../../answering/index.ts';
import { toJsonValue } from '../../../results/index.ts';
import { questionBackOf, type Session } from '../../../session/index.ts';
import type { ToolReply } from '../replies/tool-replies.ts';
import { dataBlock, keptAnswers } from '../replies/tool-replies.ts';

const SHOWN_ROWS = 10;

export const ROW_FIELDS = {
  columns: z.array(z.string()).optional(),
  rows: z.array(z.array(z.unknown())).optional(),
  rowCount: z.number().optional(),
  truncated: z.boolean().optional(),
  /** One a line. */
  notices: z.string().optional(),
};
export const UNTRUSTED = { untrusted: z.array(z.string()) };

export const ANSWER_FIELDS = z.object({
  kind: z.enum(['answered', 'clarify', 'follow_up', 'reject', 'abstain']),
  recordId: z.string(),
  message: z.string(),
  sql: z.string().optional(),
  ...ROW_FIELDS,
  risk: z.number().optional(),
  doubts: z.array(z.string()).optional(),
  verified: z.string().optional(),
  assumptions: z
    .array(z.object({ id: z.string().optional(), text: z.string(), choices: z.array(z.string()).optional() }))
    .optional(),
  options: z.array(z.object({ label: z.string(), question: z.string().optional() })).optional(),
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
      const { message, nearest } = answer;
      return { message, nearest: [...nearest], untrusted: ['message', 'nearest'] };
    }
    case 'abstain':
      return {
        message: answer.reason,
        ...(answer.nearest !== undefined && { nearest: [...answer.nearest] }),
        // No question leads to one of them.
        options: answer.candidates.map(({ label }) => ({ label })),
        untrusted: ['message', 'nearest', 'options'],
      };
  }
}

function answeredFields(answer: Answered, limit: number): Omit<Fields, 'kind' | 'recordId'> {
  const { explanation, sql, columns, rows, risk, unassessed, truncatedBy, notices, verified } = answer;
  const unused = answer.unused?.map(({ text, why }) => `not used: “${text}” (${why})`) ?? [];
  const options = optionsOf(answer.alternatives);
  const units = risk?.units.map(({ text, reasons }) => `${text}: ${reasons.join('; ')}`) ?? [];
  const doubts = [...unused, ...(unassessed === undefined ? units : [`not assessed: ${unassessed}`])];
  return {
    ...{ message: explanation, sql },
    ...(isRun(answer) && rowFields({ columns, rows, truncatedBy, notices }, limit)),
    ...(risk !== undefined && { risk: risk.queryRisk }),
    ...(doubts.length > 0 && { doubts }),
    ...(verified !== undefined && {
      verified: [verified.by ?? 'a person', verified.at, verified.place].filter(Boolean).join(', '),
    }),
    ...(answer.assumptions.length > 0 && { assumptions: answer.assumptions.map(assumptionOf) }),
    ...(options.length > 0 && { options }),
    untrusted: ['rows', 'columns', 'message', 'options'],
  };
}

/** Rows as JSON, cut at the limit of the call. */
export function rowFields(
  {
    columns,
    rows,
    truncatedBy,
    notices = [],
  }: Pick<Answered, 'columns' | 'rows' | 'truncatedBy' | 'notices'>,
  limit: number,
) {
  return {
    columns: [...columns],
    rows: rows.slice(0, limit).map((row) => row.map(toJsonValue)),
    rowCount: rows.length,
    truncated: truncatedBy !== null || rows.length > limit,
    ...(notices.length > 0 && { notices: notices.map(({ text }) => text).join('\n') }),
  };
}

/** The text says what each choice would change: `… (all: 3 rows instead of 1)`. */
export function assumptionOf({
  id,
  text,
  alternatives = [],
}: Assumption): NonNullable<Fields['assumptions']>[number] {
  const choices = alternatives.map(({ choice }) => choice);
  const effects = alternatives.flatMap(({ choice, effect }) =>
    effect === undefined ? [] : [`${choice}: ${choiceEffectText(effect)}`],
  );
  const told = effects.length === 0 ? text : `${text} (${effects.join('; ')})`;
  return { text: told, ...(id !== undefined && { id }), ...(choices.length > 0 && { choices }) };
}

/** Those that can be asked: a reading without words of its own stays out. */
function optionsOf(options: readonly { readonly label: string; readonly question: string }[]) {
  return options
    .filter(({ question }) => question !== '')
    .map(({ label, question }) => ({ label, question }));
}

const NEXT: Readonly<Record<Fields['kind'], string>> = {
  answered: '',
  clarify: 'Ask the person; then ask again with replyTo, or with the question of an option.',
  follow_up: 'Ask the person; then ask again with replyTo, or with the question of an option.',
  reject: 'It cannot be answered here as asked: say what the message says, no more.',
  abstain:
    'No answer was certain enough: say so. The options are what would have been run; nearest is what is like the words that were not understood.',
};

/** What is ours, then everything that may hold words of the database. */
function textOf(fields: Fields): string {
  const { kind, message, sql, risk, recordId, columns, rows, nearest, options } = fields;
  const head = [
    `${kind}${risk === undefined ? '' : `, ${Math.round(100 * risk)} % likely wrong`}; record ${recordId}`,
    ...(NEXT[kind] === '' ? [] : [NEXT[kind]]),
    ...(rows === undefined ? [] : [countText(fields)]),
    ...(kind === 'answered' && rows === undefined ? ['not run'] : []),
  ];
  const body = [
    message,
    ...(sql === undefined ? [] : [{ sql }]),
    ...(fields.assumptions ?? []).map(({ id, text }) => ({ assumed: text, id })),
    ...(nearest === undefined ? [] : [{ nearest }]),
    ...(kind === 'answered' ? [] : (options ?? [])),
    ...(rows === undefined ? [] : [columns, ...rows.slice(0, SHOWN_ROWS)]),
  ];
  return `${head.join('\n')}\n${dataBlock(body)}`;
}

/** How many rows there are, and how many the text shows: the fields have all that the call may have. */
function countText({ rows = [], rowCount = 0, truncated }: Pick<Fields, 'rows' | 'rowCount' | 'truncated'>) {
  const isCut = rowCount > SHOWN_ROWS || truncated === true;
  const shown = Math.min(rows.length, SHOWN_ROWS);
  return `${counted(rowCount)}${truncated === true ? ' or more' : ''}${isCut ? `, ${shown} shown here` : ''}`;
}

function counted(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`;
}

/** The first rows as text, marked as data. */
export function rowText(fields: Pick<Fields, 'columns' | 'rows' | 'rowCount' | 'truncated'>): string {
  const { columns, rows = [] } = fields;
  return `${countText(fields)}\n${dataBlock([columns, ...rows.slice(0, SHOWN_ROWS)])}`;
}

/** A question back that stays open: as it was asked or, after a restart, as its record has it. Throws `record.*`. */
export async function findBack(
  recordId: string,
  session: Session,
): Promise<Pick<Clarify | FollowUp, 'kind' | 'recordId' | 'question' | 'ask' | 'options'>> {
  const kept = keptAnswers.find(session, recordId);
  if (kept?.kind === 'clarify' || kept?.kind === 'follow_up') return kept;
  const record = await session.records.read(recordId);
  const { id, question } = record;
  const { kind, phrase, options } = questionBackOf(record);
  return { kind, recordId: id, question, options, ask: `What is meant by “${phrase}”?` };
}
