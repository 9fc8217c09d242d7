/** The projects whose definitions are tried, each opened in a folder of its own. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { readConfig } from '../../src/config/index.ts';
import { readSuite, resolvePlaces, type Suite, type SuiteName } from '../../src/lab/corpus/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';

export interface ProjectPlace {
  readonly project: string;
  readonly database: string;
  /** Where what is derived may be written. */
  readonly folder: string;
}

export interface GoldQuestion {
  readonly id: string;
  readonly question: string;
  readonly sql: string;
}

export async function openProjectAt(place: ProjectPlace): Promise<Session> {
  const { database, folder } = place;
  const project = resolve(place.project);
  const config = await readConfig({ cwd: project, project, database });
  return openSession({ ...config, derivedDirectory: join(folder, 'derived') });
}

/** Undefined where the data of Ferrum Freight is not here. */
export async function openFerrum(folder: string, dataDirectory?: string): Promise<Session | undefined> {
  const data = ferrumData(dataDirectory);
  if (!existsSync(join(data, 'make_database.py'))) return undefined;
  const project = join(folder, 'ferrum');
  cpSync(join(data, 'project'), project, { recursive: true });
  const file = join(folder, 'ferrum.sqlite');
  execFileSync('python3', [join(data, 'make_database.py'), file], { stdio: 'ignore' });
  return openProjectAt({ project, database: `sqlite:${file}`, folder });
}

/** A small project that was written for these benches, its database made of its SQL. */
export async function openClinic(folder: string): Promise<Session> {
  const home = join(import.meta.dirname, 'fresh', 'clinic');
  const file = join(folder, 'clinic.sqlite');
  const database = new DatabaseSync(file);
  database.exec(readFileSync(join(home, 'database.sql'), 'utf8'));
  database.close();
  return openProjectAt({ project: home, database: `sqlite:${file}`, folder: join(folder, 'clinic') });
}

export function ferrumData(dataDirectory?: string): string {
  return join(resolvePlaces({ ...(dataDirectory && { dataDirectory }) }).dataDirectory, 'ferrum');
}

export interface OpenMotors {
  readonly session: Session;
  readonly golds: readonly GoldQuestion[];
}

/** Motors with the golds of its suites. */
export async function openMotors(folder: string, names: readonly SuiteName[]): Promise<OpenMotors> {
  const suites: Suite[] = [];
  // One after the other: the first one makes the database.
  for (const name of names) suites.push(await readSuite(name));
  const [first] = suites;
  const database = first?.cases[0]?.databaseUrl ?? '';
  const project = first?.project ?? '';
  const session = await openProjectAt({ project, database, folder: join(folder, 'motors') });
  const golds = suites.flatMap(({ cases }) =>
    cases.flatMap(({ id, question, expect }) =>
      expect.kind === 'answered' ? [expect.sql].flat().map((sql) => ({ id, question, sql })) : [],
    ),
  );
  return { session, golds };
}
