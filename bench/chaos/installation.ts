/** A PostgreSQL of its own, and projects of different sizes that share it: the ground that chaos is made on. */
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Config, readConfig } from '../../src/config/index.ts';
import { shopLog } from '../../test/fixtures/jobs/make-jobs-project.ts';
import { startPostgres } from '../../test/servers/start-postgres.ts';
import type { StartedServer } from '../../test/servers/started-server.ts';

export interface ChaosProject {
  /** Name of its workspace; empty for the one that workers start in. */
  readonly name: string;
  readonly root: string;
  readonly tables: number;
  /** Lines of its query log so far. */
  logLines: number;
  readonly readConfig: () => Promise<Config>;
}

export interface Installation {
  readonly server: StartedServer;
  readonly root: string;
  readonly projects: readonly ChaosProject[];
  remove(): Promise<void>;
}

const LOG = 'shop.log.jsonl';

/** One project for each number of tables. */
export async function makeInstallation(sizes: readonly number[], logLines: number): Promise<Installation> {
  const server = await startPostgres();
  const root = await mkdtemp(join(tmpdir(), 'candor-chaos-'));
  const names = sizes.map((_, index) => (index === 0 ? '' : `p${index}`));
  const projects: ChaosProject[] = [];
  for (const [index, tables] of sizes.entries()) {
    const name = names[index] ?? '';
    const folder = name === '' ? root : join(root, name);
    await mkdir(folder, { recursive: true });
    makeTables(join(folder, 'shop.db'), tables);
    const workspaces = name === '' ? names.slice(1).map((other) => `${other}: ./${other}`) : [];
    await writeFile(
      join(folder, 'candor.yml'),
      `database: sqlite:shop.db
today: 2024-12-31
search: { embedding: hashed }
jobs: { logs: [${LOG}] }
server: { state: '${server.adminUrl}', workspaces: { ${workspaces.join(', ')} } }
`,
    );
    await writeFile(join(folder, LOG), '');
    const project = {
      name,
      root: folder,
      tables,
      logLines: 0,
      readConfig: () => readConfig({ cwd: folder }),
    };
    await growLog(project, logLines);
    projects.push(project);
  }
  return {
    ...{ server, root, projects },
    remove: async () => {
      await server.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** More of what people have asked, at the end of the log. */
export async function growLog(project: ChaosProject, lines: number): Promise<void> {
  await appendFile(join(project.root, LOG), shopLog(lines));
  project.logLines += lines;
}

/** Rows that were not there before: the next onboarding has something to read. */
export function changeRows(project: ChaosProject, random: () => number): void {
  const database = new DatabaseSync(join(project.root, 'shop.db'), { timeout: 10_000 });
  const table = tableName(Math.floor(random() * project.tables));
  database.exec(
    `INSERT INTO ${table} (name, city, amount) VALUES ('new', 'city ${Math.floor(random() * 1e6)}', 1)`,
  );
  database.close();
}

function makeTables(path: string, tables: number): void {
  const database = new DatabaseSync(path);
  database.exec('BEGIN');
  for (let number = 0; number < tables; number++) {
    const name = tableName(number);
    database.exec(
      `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, amount REAL NOT NULL)`,
    );
    const insert = database.prepare(`INSERT INTO ${name} (name, city, amount) VALUES (?, ?, ?)`);
    for (let row = 0; row < 60; row++) insert.run(`name ${number} ${row}`, `city ${row % 17}`, row * 1.5);
  }
  database.exec('COMMIT');
  database.close();
}

function tableName(number: number): string {
  return number === 0 ? 'customers' : number === 1 ? 'orders' : `stock_${number}`;
}
