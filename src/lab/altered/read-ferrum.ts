/** The questions over a messy company, with its project: a set that makes its database itself. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { EvaluationCase, Suite, SuitePlaces } from '../corpus/index.ts';
import { requirePath, resolvePlaces } from '../corpus/suite-places.ts';

/** What questions are taken from. */
export type AlteredSuite = Pick<Suite, 'cases' | 'policy' | 'project'> & { readonly name: string };

const QUESTION = z.object({
  id: z.string(),
  question: z.string(),
  today: z.string(),
  expect: z.array(z.string()),
  gold: z.array(z.object({ sql: z.string() })).default([]),
  order_matters: z.boolean().default(false),
});

/** Questions that are due an answer and nothing else. Throws `eval.data-missing`. */
export async function readFerrum(
  places: SuitePlaces,
  signal: AbortSignal | undefined,
): Promise<AlteredSuite> {
  const { dataDirectory, cacheDirectory } = resolvePlaces(places);
  const folder = join(dataDirectory, 'ferrum');
  const file = await requirePath(join(folder, 'questions.jsonl'), 'The ferrum set');
  const databaseUrl = `sqlite:${await makeDatabase(folder, cacheDirectory, signal)}`;
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const cases = lines.flatMap((line, index): readonly EvaluationCase[] => {
    const row = QUESTION.safeParse(JSON.parse(line));
    if (!row.success)
      throw new CandorError(
        'eval.case-invalid',
        `${file}:${index + 1} is no question: ${z.prettifyError(row.error)}`,
      );
    const { id, question, today: now, expect, gold, order_matters: orderMatters } = row.data;
    const [first, ...others] = gold.map(({ sql }) => sql);
    if (first === undefined || expect.join() !== 'answered') return [];
    const due = { kind: 'answered', sql: first, orderMatters, alternatives: others } as const;
    return [{ id, index, question, now, database: 'ferrum', databaseUrl, tags: [], expect: due }];
  });
  return { name: 'ferrum', cases, policy: 'defog', project: join(folder, 'project') };
}

/** Made once for each version of the script that makes it. */
async function makeDatabase(folder: string, cache: string, signal: AbortSignal | undefined): Promise<string> {
  const script = join(folder, 'make_database.py');
  const version = createHash('sha256')
    .update(await readFile(script))
    .digest('hex')
    .slice(0, 8);
  const path = join(cache, 'databases', `ferrum-${version}.db`);
  const isMade = await access(path).then(
    () => true,
    () => false,
  );
  if (isMade) return path;
  await mkdir(join(cache, 'databases'), { recursive: true });
  const half = `${path}.${process.pid}`;
  await promisify(execFile)('python3', [script, half], { signal }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new CandorError('eval.data-missing', `python3 could not make the ferrum database by ${script}`, {
      cause,
    });
  });
  await rename(half, path);
  return path;
}
