import { join } from 'node:path';
import type { Answer } from '../../src/answer.ts';
import { projectConfig, readConfig } from '../../src/config/index.ts';
import { CandorError } from '../../src/errors.ts';
import { readSuite, type Suite } from '../../src/lab/corpus/index.ts';
import { compareResults } from '../../src/lab/evaluation/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';

export interface OpenSuite {
  readonly session: Session;
  /** The day its questions are asked. */
  readonly now: Date;
}

/** Opens the database of a suite with what is derived in `folder`; null where its data is not here. */
export async function openSuite(
  name: 'motors' | 'chinook' | 'sakila',
  folder: string,
): Promise<OpenSuite | null> {
  const places = {
    cacheDirectory: join(folder, 'cache'),
    ...(process.env.CANDOR_DATA === undefined ? {} : { dataDirectory: process.env.CANDOR_DATA }),
  };
  try {
    return await openDatabase(await readSuite(name, places), join(folder, name));
  } catch (error) {
    if (error instanceof CandorError && error.code === 'eval.data-missing') return null;
    throw error;
  }
}

async function openDatabase({ project, cases }: Suite, derivedDirectory: string): Promise<OpenSuite> {
  const [first] = cases;
  const database = first?.databaseUrl ?? '';
  const config =
    project === undefined
      ? projectConfig(derivedDirectory, database)
      : await readConfig({ cwd: project, project, database });
  const session = await openSession({ ...config, derivedDirectory });
  return { session, now: new Date(`${first?.now}T12:00:00Z`) };
}

/** How the rows of an answer stand to those of a gold query. */
export async function compareWithGold(
  sql: string,
  answer: Answer & { readonly kind: 'answered' },
  orderMatters: boolean,
  { database, config }: Session,
): Promise<string> {
  const gold = await database.query(sql, config.limits);
  return compareResults(gold, answer, { policy: 'answer', orderMatters });
}
