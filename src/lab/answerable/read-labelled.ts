/** Labelled questions of a project: its question files, and its verified pairs. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { VerifiedPair } from '../../knowledge/index.ts';
import { dueOf } from '../corpus/question-row.ts';
import { readQuestionRows } from '../corpus/read-question-rows.ts';
import type { LabelledQuestion } from './labelled-question.ts';

/**
 * Questions of YAML files, where another outcome than an answer says that it cannot be given: a refusal does, a question
 * back does not; conversations and skipped entries are left out. A verified pair can be answered. Throws `eval.case-invalid` with file and line.
 */
export async function readLabelled(
  files: readonly string[],
  pairs: readonly VerifiedPair[],
): Promise<readonly LabelledQuestion[]> {
  const questions: LabelledQuestion[] = pairs.map(({ question }, at) => ({
    id: `pair-${at}`,
    question,
    isAnswerable: true,
  }));
  for (const file of files)
    for (const { row } of await readQuestionRows(file)) {
      const { id, question, after, skip } = row;
      // What goes on from something else is not labelled by its own words.
      if (question === undefined || after !== undefined || skip !== undefined) continue;
      const kind = dueOf(row)?.kind;
      if (kind === 'answered') questions.push({ id: `${file} ${id}`, question, isAnswerable: true });
      if (kind === 'reject') questions.push({ id: `${file} ${id}`, question, isAnswerable: false });
    }
  return questions;
}

/** The question files of a folder; none where there is no such folder. */
export async function questionFilesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}
