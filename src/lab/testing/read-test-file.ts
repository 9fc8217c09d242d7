import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { CandorError } from '../../errors.ts';
import { dueOf, type QuestionRow, type TurnRow } from '../corpus/question-row.ts';
import { type PlacedRow, parseQuestionRows } from '../corpus/read-question-file.ts';
import type { TestCase, TestFile, TestTurn } from './test-result.ts';

/** Reads one file of tests. Throws `eval.case-invalid`. */
export async function readTestFile(path: string, cwd: string): Promise<TestFile> {
  const file = relative(cwd, path) || path;
  return parseTestFile(await readFile(path, 'utf8'), { file, path });
}

/**
 * Reads the text of a file of tests strictly: an unknown key, an id or a question that stands twice and a file without
 * questions are refused with file and line. Throws `eval.case-invalid`.
 */
export function parseTestFile(text: string, { file, path }: Pick<TestFile, 'file' | 'path'>): TestFile {
  const rows = parseQuestionRows(text, file);
  if (rows.length === 0)
    throw new CandorError(
      'eval.case-invalid',
      `${file}:1: there is no question in this file; write one (- id: …, question: …, expect: …) or remove the file`,
    );
  const cases = rows.map((placed) => toCase(placed, { file, path }));
  refuseRepeated(cases);
  return { file, path, cases };
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
