/** Question files as suites read them: questions with gold SQL or with the outcome that is due. */
import { CandorError, unreachable } from '../../errors.ts';
import { dueOf, type ExpectRow, type QuestionRow } from './question-row.ts';
import { type PlacedRow, readQuestionRows } from './read-question-rows.ts';
import type { EvaluationCase, Expected } from './suite.ts';
import { requirePath } from './suite-places.ts';

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
  const rows = await readQuestionRows(path);
  return rows.map(({ row, line }, index) => toCase({ row, line }, `${path}:${line}`, { ...context, index }));
}

/** Keys that `candor test` knows and a suite cannot judge. */
const BEYOND_SUITES = ['turns', 'after', 'assume', 'skip', 'knownFailure'] as const;

function toCase(
  { row }: PlacedRow,
  place: string,
  { index, ...context }: QuestionFileContext & { readonly index: number },
): EvaluationCase {
  const { id, question = '', category, hint, errorSql, errorMessage } = row;
  const beyond = BEYOND_SUITES.find((key) => row[key] !== undefined);
  if (beyond !== undefined) throw notForSuites(place, `\`${beyond}\``);
  return {
    id,
    index,
    question,
    database: context.database,
    databaseUrl: context.databaseUrl,
    tags: row.tags ?? [],
    now: row.now ?? context.now,
    expect: toExpected(row, place),
    ...(category === undefined ? {} : { category }),
    ...(hint === undefined ? {} : { hint }),
    ...(errorSql === undefined || errorMessage === undefined
      ? {}
      : { previous: { sql: errorSql, error: errorMessage } }),
  };
}

function toExpected(row: QuestionRow, place: string): Expected {
  const expect = dueOf(row);
  switch (expect?.kind) {
    case 'answered':
      return { kind: 'answered', sql: goldOf(expect, place), orderMatters: expect.orderMatters ?? false };
    case 'reject':
    case 'clarify':
    case 'follow_up':
    case 'abstain':
      return expect;
    case undefined:
      throw notForSuites(place, 'a question without an outcome');
    default:
      return unreachable(expect);
  }
}

function goldOf(expect: Extract<ExpectRow, { kind: 'answered' }>, place: string): string {
  const { sql, result, tolerance, mustContain, mustNotContain } = expect;
  if (sql !== undefined && (result ?? tolerance ?? mustContain ?? mustNotContain) === undefined) return sql;
  throw notForSuites(
    place,
    sql === undefined ? 'an answer without `sql`' : 'more than `sql` beside an answer',
  );
}

function notForSuites(place: string, what: string): CandorError {
  return new CandorError(
    'eval.case-invalid',
    `${place}: ${what} is for \`candor test\`; a suite asks single questions and compares with gold SQL`,
  );
}
