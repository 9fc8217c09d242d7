/** What a profile of a Trino table costs, beside the engine's own count and distinct counts of the same columns. */
import { performance } from 'node:perf_hooks';
import { outlineCatalog, profileTable, type Table } from '../src/catalog/index.ts';
import { tableName } from '../src/catalog/schema/table-names.ts';
import { connect, type Database, decorate } from '../src/database/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent, median } from './figures.ts';
import { printReport } from './print-report.ts';
import { openBenchTrino } from './trino/open-bench-trino.ts';

const ROWS = [50_000, 200_000, 800_000];
const SMOKE_ROWS = [1_000, 20_000];
/** Scan and profile take turns, so that a slow moment of the machine meets both. */
const ROUNDS = 3;
const LIMITS = { rows: 10, bytes: 1_000_000, timeoutMs: 600_000 };

const options = readBenchOptions();
const rounds = options.isSmoke ? 1 : ROUNDS;
const { server, run } = await openBenchTrino();
try {
  const sizes = options.isSmoke ? SMOKE_ROWS : ROWS;
  for (const rows of sizes)
    await run(
      `CREATE TABLE memory.default.rows_${rows} AS SELECT * FROM tpch.sf1.lineitem WHERE orderkey <= ${rows} LIMIT ${rows}`,
    );
  const database = await connect(`${server.url}/memory/default`);
  const { tables } = await outlineCatalog(database);
  const rows = [];
  for (const size of sizes) {
    const table = tables.find(({ name }) => name === `rows_${size}`);
    if (table === undefined) throw new Error(`there is no table of ${size} rows`);
    rows.push(await measure(database, table, size));
    process.stderr.write(`${size} rows\n`);
  }
  await database.close();
  printReport(
    {
      bench: 'trino-profile',
      about: `lineitem of TPC-H profiled in Trino, beside its own count and distinct counts of the 16 columns in one statement; median of ${rounds}`,
      rows,
      figures: {
        profileGrowth: growthExponent(rows.map((row) => [row.rows, row.profileMs])),
        worstRatio: Math.max(...rows.map(({ ratio }) => ratio)),
      },
    },
    options,
  );
} finally {
  await server.stop();
}

async function measure(database: Database, table: Table, rows: number) {
  const times = { scanMs: [] as number[], profileMs: [] as number[] };
  const statements = new Set<number>();
  const counts = table.columns.map(({ name }) => `COUNT(DISTINCT "${name}")`).join(', ');
  const scan = `SELECT COUNT(*), ${counts} FROM ${tableName(table, database.dialect)}`;
  for (let round = 0; round < rounds; round += 1) {
    times.scanMs.push(await timeOf(() => database.query(scan, LIMITS)));
    let asked = 0;
    const heard = decorate(database, (below) => ({
      query: (...given) => {
        asked += 1;
        return below.query(...given);
      },
    }));
    times.profileMs.push(await timeOf(() => profileTable(heard, table)));
    statements.add(asked);
  }
  const [scanMs, profileMs] = [median(times.scanMs), median(times.profileMs)];
  return { rows, statements: Math.max(...statements), scanMs, profileMs, ratio: profileMs / scanMs };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
