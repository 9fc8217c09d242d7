import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { z } from 'zod';
import { CandorError } from '../../../errors.ts';
import { requirePath } from '../../corpus/suite-places.ts';

/** The rows of a file with one JSON value a line, packed or not. Throws `eval.data-missing` with the line that is none. */
export async function readJsonLines<T>(path: string, row: z.ZodType<T>): Promise<T[]> {
  const bytes = await readFile(await requirePath(path, 'A file of the data set'));
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const parsed = row.safeParse(JSON.parse(line));
    if (parsed.success) return [parsed.data];
    throw new CandorError(
      'eval.data-missing',
      `${path}:${at + 1} is of another form: ${parsed.error.message}`,
    );
  });
}
