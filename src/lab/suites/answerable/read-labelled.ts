/** Labelled questions of a project: its question files, and its verified pairs. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CandorError } from '../../../errors.ts';
import type { VerifiedPair } from '../../../knowledge/authored/index.ts';
import { dueOf } from '../../corpus/question-row.ts';
import { readQuestionRows } from '../../corpus/read-question-file.ts';
import { requirePath } from '../../corpus/suite-places.ts';

/** A question with what people found: it can be answered here, or not. */
export interface LabelledQuestion {
  readonly id: string;
  readonly question: string;
  readonly isAnswerable: boolean;
}

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

// EHRSQL-2024: questions of hospital staff over MIMIC-IV, a part of which no query can answer (Lee et al. 2024).

const DATA = z.object({ data: z.array(z.object({ id: z.string(), question: z.string() })) });
const LABELS = z.record(z.string(), z.string());
/** The label of a question that cannot be answered. */
const NONE = 'null';

/** Throws `eval.data-missing` where the set is not there, `eval.case-invalid` where it is another. */
export async function readEhrsql(
  split: 'train' | 'valid',
  dataDirectory: string,
): Promise<readonly LabelledQuestion[]> {
  const folder = await requirePath(join(dataDirectory, 'ehrsql2024', 'mimic_iv', split), 'EHRSQL-2024');
  const { data } = await read(join(folder, 'data.json'), DATA);
  const labels = await read(join(folder, 'label.json'), LABELS);
  return data.map(({ id, question }) => ({ id, question, isAnswerable: labels[id] !== NONE }));
}

async function read<T>(path: string, form: z.ZodType<T>): Promise<T> {
  const parsed = form.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new CandorError(
    'eval.case-invalid',
    `${path} is not of EHRSQL-2024: ${parsed.error.issues[0]?.message}`,
  );
}
