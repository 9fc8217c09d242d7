/** One size of `bench/lake/usage.ts`, in a process of its own, so that its memory is that of the work alone. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Table } from '../../src/catalog/index.ts';
import { connect, guarded } from '../../src/database/index.ts';
import type { EngineLog } from '../../src/knowledge/usage/engine-log/ingest-engine-log.ts';
import { ingestEngineLog } from '../../src/knowledge/usage/engine-log/ingest-engine-log.ts';
import { keepPopularity, readUsage } from '../../src/knowledge/usage/read-usage.ts';
import { openUsageFile } from '../../src/knowledge/usage/state/usage-file.ts';
import type { TableLookup } from '../../src/knowledge/usage/statements/table-reader.ts';
import { startClock } from '../start-clock.ts';
import { Company } from './company.ts';
import { ENGINE_MEMORY, makeLakeLog } from './make-lake-log.ts';

const LAST_DAY = '2025-01-30';
const NEXT_DAY = '2025-01-31';

const [tablesText = '', kind = ''] = process.argv.slice(2);
const tables = Number(tablesText);
const company = new Company({ tables, users: Math.max(100, tables / 20), seed: 1 });
const folder = await mkdtemp(join(tmpdir(), 'candor-lake-'));
try {
  process.send?.(await measure());
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure() {
  const path = join(folder, 'log.duckdb');
  const clock = startClock();
  const rows = await makeLakeLog(path, company);
  const made = clock();
  const engine = await groupInEngine(path);
  const catalog = tablesOfCompany();
  const database = guarded(await connect(`duckdb:${path}`), { kind: 'own-queries' });
  const file = await openUsageFile(join(folder, 'usage.sqlite'));
  const log: EngineLog = {
    ...{ name: 'lake', table: ['query_log'] },
    kind: kind === 'statements' ? 'statements' : 'tables',
    columns: {
      ...{ user: 'user_name', time: 'started_at', success: 'is_success' },
      ...{ sql: 'query_text', table: 'table_name' },
    },
  };
  try {
    const first = startClock();
    const ingested = await ingestEngineLog(file, database, log, { catalog, today: LAST_DAY });
    const all = first();
    const peakMb = process.resourceUsage().maxRSS / 1024;
    const second = startClock();
    const day = await ingestEngineLog(file, database, log, { catalog, today: NEXT_DAY });
    const oneDay = second();
    const again = await ingestEngineLog(file, database, log, { catalog, today: NEXT_DAY });
    if (again.groups !== 0) throw new Error('a day was read twice');
    const popular = startClock();
    keepPopularity(file, { asOf: LAST_DAY });
    const popularity = popular();
    const third = startClock();
    const usage = readUsage(file, { asOf: LAST_DAY });
    const read = third();
    return {
      ...{ kind, rows, tables, users: company.users },
      makeSeconds: made.seconds,
      engineSeconds: engine,
      groups: ingested.groups,
      seconds: all.seconds,
      cpuSeconds: all.cpuSeconds,
      rowsPerSecond: (rows * ingested.readDays) / (ingested.readDays + day.readDays) / all.seconds,
      peakMb,
      fileMb: (await stat(join(folder, 'usage.sqlite'))).size / 1e6,
      daySeconds: oneDay.seconds,
      popularitySeconds: popularity.seconds,
      readSeconds: read.seconds,
      readPeakMb: process.resourceUsage().maxRSS / 1024,
      accesses: usage.accesses.length,
    };
  } finally {
    file.close();
    await database.close();
  }
}

/** The least that any ingestion costs: the engine groups everything and gives one number. */
async function groupInEngine(path: string): Promise<number> {
  const instance = await DuckDBInstance.create(path, {
    ...{ access_mode: 'READ_ONLY', threads: '2' },
    ...{ memory_limit: ENGINE_MEMORY, temp_directory: join(folder, 'engine') },
  });
  const connection = await instance.connect();
  const clock = startClock();
  await connection.runAndReadAll(
    `SELECT COUNT(*) FROM (SELECT user_name, table_name, CAST(started_at AS DATE), COUNT(*)
     FROM query_log WHERE is_success GROUP BY ALL)`,
  );
  const { seconds } = clock();
  connection.closeSync();
  instance.closeSync();
  return seconds;
}

/** As a lake gives them, a few at a time: a catalog of a million would not fit into memory. They have no columns. */
function tablesOfCompany(): TableLookup {
  const about = { database: 'lake', dialect: 'duckdb' as const };
  return {
    ...about,
    catalogFor: (names) => ({
      ...{ ...about, foreignKeys: [], fingerprint: 'lake' },
      tables: [...names].flatMap((name) => tableCalled(name) ?? []),
    }),
  };
}

function tableCalled(name: string): Table | undefined {
  const number = Number(/\d+$/.exec(name)?.[0]);
  if (!(number < company.tables) || company.tableId(number) !== name) return undefined;
  const [catalog = '', schema = '', own = ''] = name.split('.');
  return {
    ...{ id: name, name: own, schema, catalog, qualifier: [catalog, schema], kind: 'table' },
    ...{ columns: [], primaryKey: [], rowCount: 0 },
  };
}
