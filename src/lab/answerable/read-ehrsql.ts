/** EHRSQL-2024: questions of hospital staff over MIMIC-IV, a part of which no query can answer (Lee et al. 2024). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { requirePath } from '../corpus/suite-places.ts';
import type { LabelledQuestion } from './labelled-question.ts';

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
