/** The questions over a messy company, with its project: a set that makes its database itself. */
import { join } from 'node:path';
import { z } from 'zod';
import { makeFerrum } from '../../corpus/case-databases.ts';
import {
  type EvaluationCase,
  type ReadSuiteOptions,
  readSuite,
  SUITE_NAMES,
  type Suite,
  type SuitePlaces,
} from '../../corpus/index.ts';
import { readCaseLines } from '../../corpus/read-case-lines.ts';
import { requirePath, resolvePlaces } from '../../corpus/suite-places.ts';

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
async function readFerrum(places: SuitePlaces, signal: AbortSignal | undefined): Promise<AlteredSuite> {
  const { dataDirectory, cacheDirectory } = resolvePlaces(places);
  const folder = join(dataDirectory, 'ferrum');
  const file = await requirePath(join(folder, 'questions.jsonl'), 'The ferrum set');
  const databaseUrl = `sqlite:${await makeFerrum(folder, cacheDirectory, signal)}`;
  const rows = await readCaseLines(file, QUESTION);
  const cases = rows.flatMap((row, index): readonly EvaluationCase[] => {
    const { id, question, today: now, expect, gold, order_matters: orderMatters } = row;
    const [first, ...others] = gold.map(({ sql }) => sql);
    if (first === undefined || expect.join() !== 'answered') return [];
    const due = { kind: 'answered', sql: first, orderMatters, alternatives: others } as const;
    return [{ id, index, question, now, database: 'ferrum', databaseUrl, tags: [], expect: due }];
  });
  return { name: 'ferrum', cases, policy: 'defog', project: join(folder, 'project') };
}

/** The suites of `candor eval`, and the messy company, whose own script scores it otherwise. */
export const ALTERED_SUITE_NAMES = [...SUITE_NAMES, 'ferrum'] as const;

export function readAlteredSuite(name: string, options: ReadSuiteOptions): Promise<AlteredSuite> {
  return name === 'ferrum' ? readFerrum(options, options.signal) : readSuite(name, options);
}
