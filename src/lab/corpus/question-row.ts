/** One entry of a question file: what is asked, under which circumstances, and what is due. */
import { z } from 'zod';

const GAPS = ['time', 'intent', 'term', 'value', 'join-path', 'metric'] as const;
const REASONS = ['metric', 'dimension', 'scope', 'permission', 'unsafe'] as const;

const TEXT = z.string().regex(/\S/, 'must not be empty');
const CELL = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'a cell is a text, a number, true, false or null',
});
const NAMES = z.array(TEXT).min(1, 'name at least one table or table.column');

const ANSWERED = z
  .strictObject({
    kind: z.literal('answered'),
    sql: TEXT.optional(),
    orderMatters: z.boolean().optional(),
    /** Rows that are right; names of columns never count. */
    result: z.array(z.array(CELL).min(1)).optional(),
    /** By which share numbers may differ. */
    tolerance: z.number().positive().max(1).optional(),
    /** Tables (`orders`) and columns (`orders.amount`) that the SQL has to use, or must not. */
    mustContain: NAMES.optional(),
    mustNotContain: NAMES.optional(),
  })
  .refine(({ result = [] }) => new Set(result.map((row) => row.length)).size < 2, {
    message: 'every row has as many cells as the first',
    path: ['result'],
  })
  .refine(
    ({ sql, result, tolerance, orderMatters }) =>
      sql !== undefined || result !== undefined || (tolerance === undefined && orderMatters === undefined),
    { message: '`orderMatters` and `tolerance` need `sql` or `result` beside them' },
  );

const EXPECT = z.discriminatedUnion(
  'kind',
  [
    ANSWERED,
    z.strictObject({
      kind: z.literal('reject'),
      reason: z.enum(REASONS).optional(),
      missing: TEXT.optional(),
    }),
    z.strictObject({ kind: z.literal('clarify'), gap: z.enum(GAPS).optional() }),
    z.strictObject({
      kind: z.literal('follow_up'),
      metric: TEXT.optional(),
      dimension: TEXT.optional(),
    }),
    z.strictObject({ kind: z.literal('abstain') }),
  ],
  { error: '`kind` is answered, clarify, follow_up, reject or abstain' },
);

/** The outcome that is due, as a file says it. */
export type ExpectRow = z.infer<typeof EXPECT>;

const ASKED = {
  hint: TEXT.optional(),
  assume: z.record(z.string(), TEXT).optional(),
  /** Short for `expect: { kind: answered, sql, orderMatters }`. */
  sql: TEXT.optional(),
  orderMatters: z.boolean().optional(),
  expect: EXPECT.optional(),
};

const TURN = z
  .strictObject({ question: TEXT.optional(), answer: TEXT.optional(), ...ASKED })
  .refine(({ question, answer }) => (question === undefined) !== (answer === undefined), {
    message: 'a turn has a `question`, or the `answer` to a question back',
  })
  .refine(({ sql, expect }) => sql === undefined || expect === undefined, {
    message: 'give either `sql` or `expect`',
  })
  .refine(({ sql, orderMatters }) => sql !== undefined || orderMatters === undefined, {
    message: '`orderMatters` stands beside `sql`',
  });

export type TurnRow = z.infer<typeof TURN>;

export const QUESTION_ROW = z
  .strictObject({
    id: TEXT,
    question: TEXT.optional(),
    /** A conversation, in place of one question. */
    turns: z.array(TURN).min(1, 'a conversation has at least one turn').optional(),
    category: z.string().optional(),
    tags: z.array(z.string()).optional(),
    now: z.iso.date('a day as YYYY-MM-DD').optional(),
    after: z.array(TEXT).optional(),
    errorSql: z.string().optional(),
    errorMessage: z.string().optional(),
    skip: TEXT.optional(),
    knownFailure: TEXT.optional(),
    ...ASKED,
  })
  .refine(({ question, turns }) => (question === undefined) !== (turns === undefined), {
    message: 'give either `question` or `turns`',
  })
  .refine(({ turns, sql, expect }) => turns !== undefined || (sql === undefined) !== (expect === undefined), {
    message: 'give either `sql` or `expect`',
  })
  .refine(({ sql, orderMatters }) => sql !== undefined || orderMatters === undefined, {
    message: '`orderMatters` stands beside `sql`; inside `expect` otherwise',
  })
  .refine(({ turns, ...row }) => turns === undefined || ofOneQuestion(row) === undefined, {
    message:
      'beside `turns` stand none of `sql`, `expect`, `after`, `assume`, `errorSql`: each turn has its own',
  })
  .refine(({ turns }) => turns === undefined || turns[0]?.question !== undefined, {
    message: 'the first turn asks a question',
    path: ['turns', 0],
  })
  .refine(({ turns }) => turns === undefined || isDue(turns.at(-1)), {
    message: 'the last turn says what is due: give it `sql` or `expect`',
    path: ['turns'],
  })
  .refine((row) => (row.errorSql === undefined) === (row.errorMessage === undefined), {
    message: 'give `errorSql` and `errorMessage` together',
  })
  .refine((row) => row.skip === undefined || row.knownFailure === undefined, {
    message: 'give either `skip` or `knownFailure`',
  });

export type QuestionRow = z.infer<typeof QUESTION_ROW>;

/** Every key that may stand somewhere in an entry, for who misspells one. */
export const QUESTION_KEYS: readonly string[] = [
  ...Object.keys(QUESTION_ROW.shape),
  ...Object.keys(TURN.shape),
  ...EXPECT.options.flatMap((option) => Object.keys(option.shape)),
];

function ofOneQuestion(row: Readonly<Record<string, unknown>>): unknown {
  return row.sql ?? row.expect ?? row.after ?? row.assume ?? row.errorSql;
}

function isDue(turn: TurnRow | undefined): boolean {
  return turn?.sql !== undefined || turn?.expect !== undefined;
}

/** What is due of a question or a turn; undefined where it does not say. */
export function dueOf({ sql, orderMatters, expect }: TurnRow | QuestionRow): ExpectRow | undefined {
  if (sql === undefined) return expect;
  return { kind: 'answered', sql, ...(orderMatters !== undefined && { orderMatters }) };
}
