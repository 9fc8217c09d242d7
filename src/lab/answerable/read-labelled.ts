/** Labelled questions of a project: its question files, and its verified pairs. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { VerifiedPair } from '../../knowledge/index.ts';
import { readQuestionFile } from '../corpus/read-question-file.ts';
import type { LabelledQuestion } from './labelled-question.ts';

/**
 * Questions of YAML files, where another outcome than an answer says that it cannot be given: a refusal does, a question
 * back does not. A verified pair can be answered. Throws `eval.case-invalid` with file and line.
 */
export async function readLabelled(
  files: readonly string[],
  pairs: readonly VerifiedPair[],
): Promise<readonly LabelledQuestion[]> {
  const context = { database: '', databaseUrl: '', now: '2000-01-01' };
  const questions: LabelledQuestion[] = pairs.map(({ question }, at) => ({
    id: `pair-${at}`,
    question,
    isAnswerable: true,
  }));
  for (const file of files)
    for (const { id, question, expect } of await readQuestionFile(file, context)) {
      if (expect.kind === 'answered') questions.push({ id: `${file} ${id}`, question, isAnswerable: true });
      if (expect.kind === 'reject') questions.push({ id: `${file} ${id}`, question, isAnswerable: false });
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
