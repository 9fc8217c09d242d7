/** Question files of our own: YAML lists of questions with gold SQL or with the outcome that is due. */
import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { CandorError, unreachable } from '../../errors.ts';
import type { EvaluationCase, Expected } from './suite.ts';
import { requirePath } from './suite-places.ts';

const GAPS = ['time', 'intent', 'term', 'value', 'join-path', 'metric'] as const;
const REASONS = ['metric', 'dimension', 'scope', 'permission', 'unsafe'] as const;

const ANSWERED = z.strictObject({
  kind: z.literal('answered'),
  sql: z.string().min(1),
  orderMatters: z.boolean().optional(),
});

const EXPECT = z.discriminatedUnion('kind', [
  ANSWERED,
  z.strictObject({
    kind: z.literal('reject'),
    reason: z.enum(REASONS).optional(),
    missing: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('clarify'), gap: z.enum(GAPS).optional() }),
  z.strictObject({
    kind: z.literal('follow_up'),
    metric: z.string().optional(),
    dimension: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('abstain') }),
]);

const CASE = z
  .strictObject({
    id: z.string().min(1),
    question: z.string().min(1),
    category: z.string().optional(),
    tags: z.array(z.string()).optional(),
    now: z.iso.date().optional(),
    errorSql: z.string().optional(),
    errorMessage: z.string().optional(),
    sql: z.string().min(1).optional(),
    orderMatters: z.boolean().optional(),
    expect: EXPECT.optional(),
  })
  .refine((row) => (row.sql === undefined) !== (row.expect === undefined), {
    message: 'give either `sql` or `expect`',
  })
  .refine((row) => (row.errorSql === undefined) === (row.errorMessage === undefined), {
    message: 'give `errorSql` and `errorMessage` together',
  });

const CASES = z.array(CASE);
type Row = z.infer<typeof CASE>;

/** What all questions of a file share. */
export interface QuestionFileContext {
  readonly database: string;
  readonly databaseUrl: string;
  /** The day that "today" means for questions that do not say. */
  readonly now: string;
}

/** Reads and checks a question file; a mistake is named with file and line. */
export async function readQuestionFile(
  path: string,
  context: QuestionFileContext,
): Promise<EvaluationCase[]> {
  await requirePath(path, 'The question file');
  const rows = parseRows(await readFile(path, 'utf8'), path);
  const seen = new Set<string>();
  return rows.map((row, index) => {
    if (seen.has(row.id))
      throw new CandorError('eval.case-invalid', `${path}: the id ${row.id} stands twice`);
    seen.add(row.id);
    return toCase(row, index, context);
  });
}

function parseRows(text: string, path: string): Row[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => `${path}:${lines.linePos(offset).line}`;
  const [syntaxError] = document.errors;
  if (syntaxError) {
    throw new CandorError('eval.case-invalid', `${at(syntaxError.pos[0])}: ${syntaxError.message}`);
  }
  const rows = CASES.safeParse(document.toJS());
  if (rows.success) return rows.data;
  const issue = rows.error.issues[0]!;
  const place = document.getIn(issue.path.slice(0, 1), true);
  const range = typeof place === 'object' && place !== null && 'range' in place ? place.range : undefined;
  const offset = Array.isArray(range) && typeof range[0] === 'number' ? range[0] : 0;
  throw new CandorError(
    'eval.case-invalid',
    `${at(offset)}: ${issue.path.slice(1).join('.')} ${issue.message}`,
  );
}

function toCase(row: Row, index: number, context: QuestionFileContext): EvaluationCase {
  const { id, question, category, errorSql, errorMessage } = row;
  return {
    id,
    index,
    question,
    database: context.database,
    databaseUrl: context.databaseUrl,
    tags: row.tags ?? [],
    now: row.now ?? context.now,
    expect: toExpected(row),
    ...(category === undefined ? {} : { category }),
    ...(errorSql === undefined || errorMessage === undefined
      ? {}
      : { previous: { sql: errorSql, error: errorMessage } }),
  };
}

function toExpected({ sql, orderMatters, expect }: Row): Expected {
  if (expect === undefined) return { kind: 'answered', sql: sql ?? '', orderMatters: orderMatters ?? false };
  switch (expect.kind) {
    case 'answered':
      return { kind: 'answered', sql: expect.sql, orderMatters: expect.orderMatters ?? false };
    case 'reject':
    case 'clarify':
    case 'follow_up':
    case 'abstain':
      return expect;
    default:
      return unreachable(expect);
  }
}
