/** Questions with gold SQL on databases that have rows. */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readSuite } from '../../src/lab/corpus/index.ts';
import { requirePath } from '../../src/lab/corpus/suite-places.ts';

export interface RecallQuestion {
  readonly database: string;
  readonly databaseUrl: string;
  readonly question: string;
  /** Outside knowledge given with the question. */
  readonly hint: string;
  readonly sql: string;
}

export interface RecallSet {
  readonly name: string;
  readonly questions: readonly RecallQuestion[];
}

const BIRD_ROWS = z.array(
  z.object({ db_id: z.string(), question: z.string(), evidence: z.string(), SQL: z.string() }),
);

/** BIRD dev, as far as its databases are there. Throws `eval.data-missing`. */
export async function readBirdSet(dataDirectory: string): Promise<RecallSet> {
  const path = await requirePath(join(dataDirectory, 'bird', 'dev', 'dev.json'), 'The BIRD dev set');
  const rows = BIRD_ROWS.parse(JSON.parse(await readFile(path, 'utf8')));
  const questions: RecallQuestion[] = [];
  for (const { db_id: database, question, evidence: hint, SQL: sql } of rows) {
    const file = join(dataDirectory, 'bird', 'databases', database, `${database}.sqlite`);
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) questions.push({ database, databaseUrl: `sqlite:${file}`, question, hint, sql });
  }
  return { name: 'bird-dev', questions };
}

/** Spider dev, as far as its databases are there. Throws `eval.data-missing`. */
export async function readSpiderSet(dataDirectory: string): Promise<RecallSet> {
  const { cases } = await readSuite('spider', { dataDirectory });
  const questions = cases.flatMap(({ database, databaseUrl, question, expect }): RecallQuestion[] =>
    expect.kind === 'answered' ? [{ database, databaseUrl, question, hint: '', sql: expect.sql }] : [],
  );
  return { name: 'spider-dev', questions };
}
