/** Question files as suites read them: questions with gold SQL or with the outcome that is due. */

import { readFile } from 'node:fs/promises';
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { CandorError, unreachable } from '../../errors.ts';
import { nearestNames } from '../../language/index.ts';
import { dueOf, type ExpectRow, QUESTION_KEYS, QUESTION_ROW, type QuestionRow } from './question-row.ts';
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

/** Reads question files: YAML lists, strictly; every mistake is named with file and line. */
export interface PlacedRow {
  readonly row: QuestionRow;
  /** Where it begins in its file, from 1. */
  readonly line: number;
}

const ROWS = z.array(QUESTION_ROW, { error: 'a question file is a list: each entry starts with `- id:`' });

/** The entries of a file in their order; throws `eval.case-invalid`. */
export async function readQuestionRows(path: string): Promise<readonly PlacedRow[]> {
  return parseQuestionRows(await readFile(path, 'utf8'), path);
}

/** The entries of a text that came from `path`. */
export function parseQuestionRows(text: string, path: string): readonly PlacedRow[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const [syntaxError] = document.errors;
  if (syntaxError) throw invalid(`${path}:${lineAt(syntaxError.pos[0])}: ${syntaxError.message}`);
  // A text of comments alone has no list in it, and no entries either.
  const rows = ROWS.safeParse(document.toJS() ?? []);
  if (!rows.success) throw invalidRows(rows.error.issues, { document, path, lineAt });
  const placed = rows.data.map((row, at) => ({ row, line: lineAt(offsetOf(document, [at])) }));
  const lineOf = new Map<string, number>();
  for (const { row, line } of placed) {
    const first = lineOf.get(row.id);
    if (first !== undefined)
      throw invalid(`${path}:${line}: the id ${row.id} stands twice, first in line ${first}; rename one`);
    lineOf.set(row.id, line);
  }
  return placed;
}

function invalid(message: string): CandorError {
  return new CandorError('eval.case-invalid', message);
}

interface Place {
  readonly document: Document;
  readonly path: string;
  readonly lineAt: (offset: number) => number;
}

type Issue = z.core.$ZodIssue;

/** The message is the first one's; all of them are its data. */
function invalidRows(issues: readonly Issue[], place: Place): CandorError {
  const problems = issues.map((issue) => sayIssue(issue, place));
  const { line, message } = problems[0]!;
  const more = issues.length === 1 ? '' : ` (and ${issues.length - 1} more in this file)`;
  return new CandorError('eval.case-invalid', `${place.path}:${line}: ${message}${more}`, {
    data: { problems },
  });
}

function sayIssue(issue: Issue, { document, lineAt }: Place) {
  const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const line = lineAt(offsetOf(document, issue.path, key));
  const where = issue.path.slice(1).join('.');
  const what = key === undefined ? issue.message : unknownKey(key);
  return { line, column: 1, message: `${where === '' ? '' : `${where}: `}${what}` };
}

function unknownKey(key: string): string {
  const [near] = nearestNames(key, QUESTION_KEYS, 1);
  return `there is no key \`${key}\`${near === undefined ? '; remove it' : ` here; did you mean \`${near}\`?`}`;
}

/** Where the node at a path begins, or its nearest parent; with `key`, that key of it. */
function offsetOf(document: Document, path: readonly PropertyKey[], key?: string): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true);
    const pair = isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === key) : null;
    const found = key !== undefined && depth === path.length && pair ? pair.key : node;
    if (typeof found !== 'object' || found === null || !('range' in found)) continue;
    if (Array.isArray(found.range) && typeof found.range[0] === 'number') return found.range[0];
  }
  return 0;
}
