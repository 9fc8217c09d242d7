/**
 * The pages beside the chat against the number of tables, over HTTP on a real server: lists, words, an area, all areas, one table,
 * search, the graph. Beside them what a page without a catalog would ask SQLite itself: names and columns of one page of tables.
 * `npx tsx bench/catalog-pages.ts [--smoke] [--output json]`
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { readConfig } from '../src/config/index.ts';
import { startServer } from '../src/server/index.ts';
import { openSession } from '../src/session/project/open-session.ts';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent, percentile } from './figures.ts';
import { printReport } from './print-report.ts';
import { buildSyntheticDatabase } from './synthetic-catalog.ts';

const SEED = 43;
const PAGE = 50;
const TABLES_OF_AREA = 50;

const options = readBenchOptions();
const sizes = options.isSmoke ? [10, 20] : [100, 1_000, 5_000];
const rounds = options.isSmoke ? 3 : 40;
const say = (line: string): void => void process.stderr.write(`catalog-pages: ${line}\n`);

const results: Awaited<ReturnType<typeof measureSize>>[] = [];
for (const size of sizes) {
  const row = await measureSize(size);
  say(JSON.stringify(row));
  results.push(row);
}
type Key = Exclude<keyof (typeof results)[number], 'tables'>;
const growth = (key: Key): number => growthExponent(results.map((row) => [row.tables, row[key]]));
const last = results.at(-1);
printReport(
  {
    bench: 'catalog-pages',
    about: `95th percentile in ms of ${rounds} requests each, areas of ${TABLES_OF_AREA} tables, a table in one area`,
    rows: results,
    figures: {
      listGrowth: growth('listMs'),
      wordsGrowth: growth('wordsMs'),
      areasGrowth: growth('areasMs'),
      tableGrowth: growth('tableMs'),
      searchGrowth: growth('searchMs'),
      graphGrowth: growth('graphMs'),
      listToSqlite: last === undefined ? 0 : last.listMs / last.sqliteMs,
    },
  },
  options,
);

async function measureSize(size: number) {
  const folder = mkdtempSync(join(tmpdir(), 'candor-bench-catalog-'));
  try {
    const names = makeProject(folder, size);
    const session = await openSession(await readConfig({ cwd: folder }));
    const server = await startServer(session, {
      ...{ host: '127.0.0.1', port: 0, newId: randomUUID },
      onBug: (_, error) => {
        throw error;
      },
    });
    const time = (path: (round: number) => string) => timed((round) => read(`${server.url}${path(round)}`));
    const nameOf = (round: number): string => names[(round * 7) % names.length] ?? '';
    const row = {
      tables: size,
      listMs: await time(() => `/v1/catalog/tables?limit=${PAGE}`),
      wordsMs: await time((round) => `/v1/catalog/tables?text=${nameOf(round).split('_')[1] ?? ''}`),
      areaMs: await time(() => '/v1/catalog/tables?area=a0'),
      areasMs: await time(() => '/v1/areas'),
      tableMs: await time((round) => `/v1/catalog/tables/${nameOf(round)}`),
      searchMs: await time((round) => `/v1/search?text=${nameOf(round)}`),
      graphMs: await time((round) => `/v1/graph?around=table:${nameOf(round)}`),
      sqliteMs: await timed(async () => askSqlite(join(folder, 'wide.db'))),
    };
    await server.close();
    await session.close();
    return row;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Empty tables: what is measured is the catalog, not the rows. */
function makeProject(folder: string, size: number): readonly string[] {
  const { catalog } = buildSyntheticDatabase(size, SEED);
  const database = new DatabaseSync(join(folder, 'wide.db'));
  database.exec('BEGIN');
  for (const { name, columns } of catalog.tables)
    database.exec(`CREATE TABLE ${name} (${columns.map((each) => `${each.name} ${each.type}`).join(', ')})`);
  database.exec('COMMIT');
  database.close();
  const names = catalog.tables.map(({ name }) => name);
  const areas = Array.from({ length: Math.ceil(size / TABLES_OF_AREA) }, (_, at) => {
    const tables = names.slice(at * TABLES_OF_AREA, (at + 1) * TABLES_OF_AREA);
    return `  a${at}:\n    name: Area ${at}\n    members: [m${at}]\n    include_tables: [${tables.join(', ')}]\n`;
  });
  mkdirSync(join(folder, 'knowledge'));
  writeFileSync(join(folder, 'knowledge', 'areas.yml'), `areas:\n${areas.join('')}`);
  writeFileSync(join(folder, 'candor.yml'), 'database: sqlite:wide.db\nsearch: { embedding: none }\n');
  return names;
}

/** The 95th percentile; the first rounds also pay for compiling the code and opening the base. */
async function timed(work: (round: number) => Promise<void>): Promise<number> {
  for (let round = 0; round < 3; round += 1) await work(round);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now();
    await work(round);
    times.push(performance.now() - from);
  }
  return percentile(times, 0.95);
}

async function read(url: string): Promise<void> {
  const reply = await fetch(url);
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${text.slice(0, 300)}`);
}

function askSqlite(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name LIMIT ?")
    .all(PAGE);
  for (const { name } of tables)
    database.prepare('SELECT name, type FROM pragma_table_info(?)').all(String(name));
  database.close();
}
