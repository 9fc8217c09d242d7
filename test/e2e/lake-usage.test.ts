/** Query logs over a lake: its statements are read against the tables they name, and give people the clusters they work in. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AREAS, ENTITIES } from '../../bench/business-words.ts';
import { readConfig } from '../../src/config/index.ts';
import { doJob } from '../../src/jobs/do-job.ts';
import { openUsageFile, readUsage } from '../../src/knowledge/usage/index.ts';
import { readPopularity } from '../../src/knowledge/usage/read-usage.ts';
import { openProject } from '../../src/session/open-project.ts';
import { runCandor } from './cli/run-candor.ts';

const TABLES = 400;
const TEAMS = ['sales', 'ops', 'law', 'pay', 'lab'] as const;
const PEOPLE = 5;
/** Of one person on one table, from 3 to 7. */
const runsOf = (table: number, person: number): number => 3 + ((table * 7 + person * person * 3) % 5);

const nameOf = (table: number): string =>
  `${TEAMS[table % TEAMS.length]}_${AREAS[table % AREAS.length]}_${ENTITIES[(table * 7) % ENTITIES.length]}_${table}`;

let folder: string;
const run = (...argv: readonly string[]) => runCandor(argv, folder);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-lake-usage-'));
  const writer = new DatabaseSync(join(folder, 'lake.db'));
  writer.exec('BEGIN');
  for (let table = 0; table < TABLES; table += 1)
    writer.exec(`CREATE TABLE ${nameOf(table)} (id INTEGER PRIMARY KEY, before_id INTEGER, worth REAL)`);
  writer.exec('COMMIT');
  writer.close();
  await writeFile(
    join(folder, 'candor.yml'),
    'database: sqlite:lake.db\ncatalog: lake\ntoday: 2024-10-01\nsearch: { embedding: none }\njobs: { logs: [log.jsonl] }\n',
  );
  await writeFile(join(folder, 'log.jsonl'), [...logLines()].join('\n'));
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Everybody runs the tables of the own team; the last line names a table that is not there. */
function* logLines(): Generator<string> {
  for (let table = TEAMS.length; table < TABLES; table += 1)
    for (let person = 0; person < PEOPLE; person += 1)
      for (let time = 0; time < runsOf(table, person); time += 1) {
        const sql = `SELECT a.worth FROM ${nameOf(table).toUpperCase()} a JOIN ${nameOf(table - TEAMS.length)} b ON b.id = a.before_id`;
        yield JSON.stringify({ sql, user: `${TEAMS[table % TEAMS.length]}_${person}`, at: '2024-09-10' });
      }
  yield JSON.stringify({ sql: 'SELECT 1 FROM unicorns', user: 'sales_0', at: '2024-09-10' });
}

describe('query logs of a lake', () => {
  it('say what to do before its tables were read', async () => {
    const { code, stderr } = await run('usage', 'ingest', 'log.jsonl');
    expect(code).not.toBe(0);
    expect(stderr).toContain('candor onboard');
  });

  it('show the tables that were read', async () => {
    expect(await run('catalog')).toMatchObject({ code: 3 });
    expect(await run('onboard')).toMatchObject({ code: 0 });
    const some = await run('catalog', 'OPS_', '--limit', '7');
    expect(some.stdout.match(/^ops_\S+ +table/gm)).toHaveLength(7);
    expect(some.stdout).toContain(`${TABLES / TEAMS.length} tables, 7 shown`);
    const one = await run('catalog', nameOf(7), '--output', 'json');
    expect(JSON.parse(one.stdout)).toMatchObject({ tables: [{ id: nameOf(7) }], tableCount: 1 });
    expect((await run('catalog', nameOf(7))).stdout).toMatch(/^before_id +INTEGER/m);
  });

  it('count tables, columns and joins of the statements', async () => {
    const { code, stdout } = await run('usage', 'ingest', 'log.jsonl', '--output', 'json');
    expect(code).toBe(0);
    const runs = [...logLines()].length - 1;
    expect(JSON.parse(stdout).logs[0].counts).toMatchObject({ counted: runs, unknownTables: 1 });
    const file = await openUsageFile(join(folder, '.candor', 'usage.sqlite'));
    const usage = readUsage(file, { asOf: '2024-10-01' });
    const popularity = usage.tables.map((table): [string, number] => [table.tableId, table.popularity]);
    expect(readPopularity(file)).toEqual(new Map(popularity));
    file.close();
    expect(usage.tables).toHaveLength(TABLES);
    expect(usage.joins).toHaveLength(TABLES - TEAMS.length);
    expect(usage.columns.map(({ columnId }) => columnId)).toContain(`${nameOf(9).toLowerCase()}.before_id`);
    expect(usage.unknownTables).toEqual([{ name: 'unicorns', runs: 1 }]);
  });

  it('give everybody the clusters they work in', async () => {
    const { code, stdout } = await run(
      ...['knowledge', 'clusters', '--components', '5', '--user', 'ops_1', '--output', 'json'],
    );
    expect(code).toBe(0);
    const { tables }: { tables: string[] } = JSON.parse(stdout);
    expect(tables.filter((id) => id.startsWith('ops_')).length).toBeGreaterThan(70);
    expect(tables.length).toBeLessThan(TABLES / 2);
  });

  it('lead questions of a person to the own tables', async () => {
    const foundBy = async (user?: string): Promise<number> => {
      const session = await openProject({ ...(await readConfig({ cwd: folder })), ...(user && { user }) });
      try {
        const found = (await session.lake?.tablesFor('worth of the devices')) ?? [];
        return found.filter((id) => id.startsWith('sales_')).length / found.length;
      } finally {
        await session.close();
      }
    };
    expect(await foundBy('sales_2')).toBeGreaterThan(1.5 * (await foundBy()));
  });

  it('are read by background jobs as well', async () => {
    const config = await readConfig({ cwd: folder });
    const work = { config, signal: new AbortController().signal, report: () => undefined };
    expect(await doJob('usage', work)).toMatchObject({ logs: 1, rejected: 0 });
    expect(await doJob('clusters', work)).toMatchObject({ users: TEAMS.length * PEOPLE });
  });
});
