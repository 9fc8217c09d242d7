import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Answer } from '../../src/answer.ts';
import { type Config, projectConfig, readConfig } from '../../src/config/index.ts';
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

/** The databases of suites, made once for all files of a run: the temporary folder is that of the run. */
export const SUITE_CACHE = join(tmpdir(), 'candor-suites');

/** Opens the database of a suite with what is derived in `folder`; null where its data is not here. */
export async function openSuite(
  name: 'motors' | 'chinook' | 'sakila',
  folder: string,
): Promise<OpenSuite | null> {
  const places = {
    cacheDirectory: SUITE_CACHE,
    ...(process.env.CANDOR_DATA === undefined ? {} : { dataDirectory: process.env.CANDOR_DATA }),
  };
  try {
    return await openDatabase(await readSuite(name, places), join(folder, name));
  } catch (error) {
    if (error instanceof CandorError && error.code === 'eval.data-missing') return null;
    throw error;
  }
}

async function openDatabase({ name, project, cases }: Suite, derivedDirectory: string): Promise<OpenSuite> {
  const [first] = cases;
  const database = first?.databaseUrl ?? '';
  const config =
    project === undefined
      ? projectConfig(derivedDirectory, database)
      : await readConfig({ cwd: project, project, database });
  const session = await openOnboarded(name, { ...config, derivedDirectory });
  return { session, now: new Date(`${first?.now}T12:00:00Z`) };
}

/** Opens a session over what the first file of the run that came by here has derived; what this one adds stays its own. */
export async function openOnboarded(name: string, config: Config): Promise<Session> {
  const made = join(SUITE_CACHE, 'onboarded', name);
  if (!existsSync(made)) {
    const half = `${made}.${process.pid}`;
    mkdirSync(dirname(made), { recursive: true });
    await openSession({ ...config, derivedDirectory: half }).then((session) => session.close());
    try {
      renameSync(half, made);
    } catch {
      // Another worker was sooner, and made the same.
      rmSync(half, { recursive: true });
    }
  }
  cpSync(made, config.derivedDirectory, { recursive: true });
  return openSession(config);
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
