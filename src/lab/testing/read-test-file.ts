import { relative } from 'node:path';
import { CandorError } from '../../errors.ts';
import { dueOf, type QuestionRow, type TurnRow } from '../corpus/question-row.ts';
import { type PlacedRow, readQuestionRows } from '../corpus/read-question-rows.ts';
import type { TestCase, TestFile, TestTurn } from './test-case.ts';

/**
 * Reads one file of tests strictly: an unknown key, an id or a question that stands twice and a file without questions are
 * refused with file and line. Throws `eval.case-invalid`.
 */
export async function readTestFile(path: string, cwd: string): Promise<TestFile> {
  const file = relative(cwd, path) || path;
  const rows = await readQuestionRows(path).catch((error: unknown) => {
    throw error instanceof CandorError
      ? new CandorError(error.code, named(error.message, path, file))
      : error;
  });
  if (rows.length === 0)
    throw new CandorError(
      'eval.case-invalid',
      `${file}:1: there is no question in this file; write one (- id: …, question: …, expect: …) or remove the file`,
    );
  const cases = rows.map((placed) => toCase(placed, { file, path }));
  refuseRepeated(cases);
  return { file, path, cases };
}

/** Errors name the file as the person would. */
function named(message: string, path: string, file: string): string {
  return message.startsWith(path) ? `${file}${message.slice(path.length)}` : message;
}

function toCase({ row, line }: PlacedRow, place: { readonly file: string; readonly path: string }): TestCase {
  const { id, category, tags = [], now, skip, knownFailure } = row;
  return {
    ...place,
    line,
    id,
    tags: category === undefined ? tags : [category, ...tags],
    turns: row.turns?.map((turn) => toTurn(turn, row.hint)) ?? [toOnlyTurn(row)],
    ...(now !== undefined && { now }),
    ...(skip !== undefined && { skip }),
    ...(knownFailure !== undefined && { knownFailure }),
  };
}

function toOnlyTurn(row: QuestionRow): TestTurn {
  const { after, errorSql, errorMessage } = row;
  return {
    ...toTurn(row, row.hint),
    ...(after !== undefined && { after }),
    ...(errorSql !== undefined &&
      errorMessage !== undefined && { previous: { sql: errorSql, error: errorMessage } }),
  };
}

function toTurn(turn: TurnRow | QuestionRow, hintOfCase: string | undefined): TestTurn {
  const { question, assume, hint = hintOfCase } = turn;
  const answer = 'answer' in turn ? turn.answer : undefined;
  const expect = dueOf(turn);
  return {
    says:
      question === undefined ? { kind: 'answer', text: answer ?? '' } : { kind: 'question', text: question },
    ...(hint !== undefined && { hint }),
    ...(assume !== undefined && { assume }),
    ...(expect !== undefined && { expect }),
  };
}

/** The same words under the same circumstances have one outcome: of two such cases one is idle or they disagree. */
function refuseRepeated(cases: readonly TestCase[]): void {
  const seen = new Map<string, TestCase>();
  for (const tested of cases) {
    const asked = tested.turns.map(({ expect: _, ...turn }) => turn);
    const key = JSON.stringify([tested.now, asked]);
    const first = seen.get(key);
    if (first !== undefined)
      throw new CandorError(
        'eval.case-invalid',
        `${tested.file}:${tested.line}: ${tested.id} asks the same as ${first.id} in line ${first.line}; remove one`,
      );
    seen.set(key, tested);
  }
}
