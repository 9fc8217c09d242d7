/** Everyday questions over Spider's training databases, of our own: the databases stay where the benchmark lies. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { findSpiderDatabases } from './read-spider.ts';
import type { EvaluationCase, Suite, SuiteName } from './suite.ts';
import { requirePath } from './suite-places.ts';

const ROW = z.strictObject({
  id: z.string(),
  database: z.string(),
  question: z.string(),
  /** What is asked, for people who look for a kind. */
  category: z.string(),
  /** Gold queries: the plainest first, then those whose rows a reasonable person would also accept. */
  sql: z.array(z.string()).min(1),
  orderMatters: z.boolean().optional(),
});

/** "Last year" is before it, and all the rows are older. */
const NOW = '2025-10-01';

/** Reads one of the files; `eval.case-invalid` names the line that is wrong, `eval.data-missing` the folder of the databases. */
export async function readEveryday(
  name: Extract<SuiteName, `everyday${string}`>,
  { file, dataDirectory }: { readonly file: string; readonly dataDirectory: string },
): Promise<Suite> {
  const folder = await requirePath(join(dataDirectory, 'spider'), 'The Spider data set');
  const lines = (await readFile(await requirePath(file, 'The question file'), 'utf8')).trimEnd().split('\n');
  const rows = lines.map((line, at) => readRow(line, `${file}:${at + 1}`));
  const databases = await findSpiderDatabases(new Set(rows.map(({ database }) => database)), folder);
  const cases = rows.flatMap(
    ({ id, database, question, category, sql, orderMatters = false }, index): EvaluationCase[] => {
      const path = databases.get(database);
      const [gold = '', ...alternatives] = sql;
      if (path === undefined) return [];
      const expect = { kind: 'answered', sql: gold, orderMatters, alternatives } as const;
      const databaseUrl = `sqlite:${path}`;
      return [{ id, index, database, databaseUrl, question, category, tags: [], now: NOW, expect }];
    },
  );
  const excluded = { cases: rows.length - cases.length, why: 'their database has no file' };
  return { name, cases, policy: 'answer', excluded };
}

function readRow(line: string, place: string): z.infer<typeof ROW> {
  const parsed = ROW.safeParse(parseJson(line));
  if (parsed.success) return parsed.data;
  throw new CandorError('eval.case-invalid', `${place}: ${z.prettifyError(parsed.error)}`);
}

/** What is no JSON is no row either: undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
