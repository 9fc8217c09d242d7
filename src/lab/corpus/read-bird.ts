/** BIRD dev: questions with hints, on those of its databases that come with rows. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { EvaluationCase, Suite } from './suite.ts';
import { requirePath } from './suite-places.ts';

const ROWS = z.array(
  z.object({
    question_id: z.number(),
    db_id: z.string(),
    question: z.string(),
    evidence: z.string(),
    SQL: z.string(),
    difficulty: z.string(),
  }),
);

const QUESTION_IDS = z.array(z.number());

type Row = z.infer<typeof ROWS>[number];

/** Where the rows lie, in which databases, and which questions may be asked of them. */
const PARTS = {
  bird: { folder: 'databases', databases: ['superhero', 'student_club', 'toxicology'] },
  'bird-proxy': {
    folder: 'databases_proxy',
    databases: ['financial', 'formula_1'],
    only: 'qids_validated_ge95pct_agreement.json',
  },
} as const;

/** The set was published that day; any fixed day makes runs repeatable. */
const NOW = '2023-05-19';

/** Reads one part; a case stands at the place that it has in the whole set, so its half is the same in every part. */
export async function readBird(name: keyof typeof PARTS, dataDirectory: string): Promise<Suite> {
  const bird = join(dataDirectory, 'bird');
  const part = PARTS[name];
  const rows = await readJson(join(bird, 'dev', 'dev.json'), ROWS);
  const allowed =
    'only' in part ? new Set(await readJson(join(bird, part.folder, part.only), QUESTION_IDS)) : undefined;
  const files = new Map<string, string>();
  for (const database of part.databases) {
    const path = join(bird, part.folder, database, `${database}.sqlite`);
    files.set(database, await requirePath(path, `The BIRD database ${database}`));
  }
  const cases = rows.flatMap((row, index) => {
    const path = files.get(row.db_id);
    const isAsked = allowed === undefined || allowed.has(row.question_id);
    return path === undefined || !isAsked ? [] : [toCase(row, index, path)];
  });
  const why =
    allowed === undefined
      ? 'their database has no rows here'
      : 'their database has no rows here, or its rows are not known to give the published results';
  return { name, cases, policy: 'bird', excluded: { cases: rows.length - cases.length, why } };
}

function toCase(row: Row, index: number, path: string): EvaluationCase {
  const hint = row.evidence.trim();
  return {
    id: `bird-${row.question_id}`,
    index,
    // Spider has databases of the same names.
    database: `bird-${row.db_id}`,
    databaseUrl: `sqlite:${path}`,
    question: row.question,
    ...(hint === '' ? {} : { hint }),
    hardness: row.difficulty,
    tags: [],
    now: NOW,
    // Its script compares sets of rows.
    expect: { kind: 'answered', sql: row.SQL, orderMatters: false },
  };
}

async function readJson<T>(path: string, shape: z.ZodType<T>): Promise<T> {
  const text = await readFile(await requirePath(path, 'The BIRD dev set'), 'utf8');
  const rows = shape.safeParse(JSON.parse(text));
  if (rows.success) return rows.data;
  throw new CandorError('eval.data-missing', `${path} is not a file of BIRD: ${rows.error.message}`);
}
