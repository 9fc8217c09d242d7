/** The databases that rows of `test/fixtures/words` are asked of: those of the suites, the messy company, and small ones written in the row. */
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { projectConfig, readConfig } from '../../src/config/index.ts';
import { makeFerrum, makeNorthwind } from '../../src/lab/corpus/case-databases.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import { type OpenSuite, openOnboarded, openSuite, SUITE_CACHE } from './open-suite.ts';

/** The day that questions over the messy company and over small tables are asked. */
const DAY = new Date('2025-10-01T12:00:00Z');

const DATA = process.env.CANDOR_DATA ?? join('..', 'shared', 'data');

/** Opens the database that a row names, or makes the one its SQL describes; null where its data is not here. */
export async function openWords(database: string, folder: string): Promise<OpenSuite | null> {
  switch (database) {
    case 'chinook':
    case 'sakila':
    case 'motors':
      return openSuite(database, folder);
    case 'ferrum':
    case 'ferrum-bare':
      return openFerrum(database, join(folder, database));
    case 'northwind':
      return openNorthwind(folder);
    default:
      return /^\w+$/.test(database) ? openSpider(database, folder) : openTables(database, folder);
  }
}

async function openNorthwind(folder: string): Promise<OpenSuite | null> {
  if (!existsSync(join(DATA, 'demo', 'northwind.sqlite.sql'))) return null;
  const path = await makeNorthwind({ dataDirectory: DATA, cacheDirectory: SUITE_CACHE });
  return { session: await openOnboarded('northwind', projectConfig(folder, `sqlite:${path}`)), now: DAY };
}

/** One of the databases that come with Spider. */
async function openSpider(name: string, folder: string): Promise<OpenSuite | null> {
  const path = resolve(DATA, 'spider', 'database', name, `${name}.sqlite`);
  if (!existsSync(path)) return null;
  return { session: await openSession(projectConfig(folder, `sqlite:${path}`)), now: DAY };
}

/** The messy company, with its project or of the database alone. */
async function openFerrum(name: 'ferrum' | 'ferrum-bare', folder: string): Promise<OpenSuite | null> {
  const source = join(DATA, 'ferrum');
  if (!existsSync(source)) return null;
  const database = `sqlite:${await makeFerrum(source, SUITE_CACHE, undefined)}`;
  const project = join(folder, 'project');
  if (name === 'ferrum') cpSync(join(source, 'project'), project, { recursive: true });
  const config =
    name === 'ferrum' ? await readConfig({ cwd: project, database }) : projectConfig(folder, database);
  return { session: await openOnboarded(name, config), now: DAY };
}

/** A database of a few tables, from the statements that make it. */
async function openTables(statements: string, folder: string): Promise<OpenSuite> {
  if (!/create table/i.test(statements)) throw new Error(`no database is called “${statements}”`);
  const path = join(folder, 'small.db');
  mkdirSync(folder, { recursive: true });
  const writer = new DatabaseSync(path);
  writer.exec(statements);
  writer.close();
  return { session: await openSession(projectConfig(folder, `sqlite:${path}`)), now: DAY };
}
