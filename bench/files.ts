/** What it costs to make a database of files, beside DuckDB's own load of the same CSV; and how long a mixed folder takes to its first answer. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { utils, write } from '@e965/xlsx';
import { filesUrl, keepFiles } from '../src/database/files/index.ts';
import { candorProgram } from '../test/fixtures/candor-program.ts';
import { readBenchOptions } from './bench-options.ts';
import { printReport } from './print-report.ts';

const options = readBenchOptions();
const LARGE_ROWS = options.isSmoke ? 10_000 : 15_000_000;
const FOLDER_ROWS = options.isSmoke ? 6_000 : 3_000_000;

const folder = mkdtempSync(join(tmpdir(), 'candor-bench-'));
try {
  const large = join(folder, 'large');
  mkdirSync(large);
  await writeRows(join(large, 'sales.csv'), 0, LARGE_ROWS);
  const own = await seconds(() => loadByDuckdb(join(large, 'sales.csv'), join(folder, 'own.duckdb')));
  const kept = await seconds(() => keep(large));
  const mixed = join(folder, 'mixed');
  mkdirSync(mixed);
  await writeMixed(mixed);
  const first = await seconds(() => {
    const project = mkdtempSync(join(folder, 'project-'));
    run(project, 'onboard', mixed);
    run(project, 'ask', '--output', 'csv', 'how many sales are there?');
    return Promise.resolve();
  });
  printReport(
    {
      bench: 'files',
      about: `a CSV made a database, beside CREATE TABLE AS of DuckDB alone; and ${FOLDER_ROWS} rows in 12 files of four formats to a first answer`,
      rows: [
        { what: 'one CSV', megabytes: megabytes(join(large, 'sales.csv')), ownSeconds: own, seconds: kept },
        { what: 'a mixed folder', megabytes: 0, ownSeconds: 0, seconds: first },
      ],
      figures: { ratio: kept / own, firstAnswerSeconds: first },
    },
    options,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function keep(source: string): Promise<unknown> {
  const url = filesUrl(source, '.');
  if (url === undefined) throw new Error(`${source} names no files`);
  return keepFiles(url, { folder: join(folder, 'kept'), alone: (work) => work() });
}

async function loadByDuckdb(csv: string, path: string): Promise<void> {
  await inDuckdb(path, `CREATE TABLE sales AS SELECT * FROM read_csv('${csv}'); CHECKPOINT`);
}

async function inDuckdb(path: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(path, { threads: '2', preserve_insertion_order: 'false' });
  try {
    const connection = await instance.connect();
    await connection.run(sql);
  } finally {
    instance.closeSync();
  }
}

/** Orders as a shop exports them: dates of one country, postcodes, statuses, a remark that differs in each row. */
function writeRows(path: string, from: number, count: number): Promise<void> {
  return inDuckdb(
    ':memory:',
    `COPY (SELECT i AS order_id, printf('%05d', i % 5000) AS customer_no, strftime(DATE '2020-01-01' + (i % 1500)::INT, '%m/%d/%Y') AS order_date, round((i * 7919 % 100000) / 100.0, 2) AS amount, ['open', 'closed', 'cancelled'][1 + i % 3] AS status, 'remark number ' || i AS remark FROM range(${from}, ${from + count}) t(i)) TO '${path}'`,
  );
}

async function writeMixed(target: string): Promise<void> {
  const share = Math.floor(FOLDER_ROWS / 6);
  for (let nth = 0; nth < 6; nth += 1)
    await writeRows(join(target, `sales_${2018 + nth}.${nth < 4 ? 'csv' : 'parquet'}`), nth * share, share);
  const cities = 'Kunde;Stadt;Seit\n00001;Köln;31.01.2020\n00002;Zürich;01.02.2021\n';
  writeFileSync(join(target, 'kunden.csv'), Buffer.from(cities, 'latin1'));
  writeFileSync(join(target, 'regions.tsv'), Buffer.from(cities.replaceAll(';', '\t'), 'utf16le'));
  const events = Array.from({ length: 5000 }, (_, id) =>
    JSON.stringify({ id, at: { day: '2024-01-01', page: id % 7 } }),
  );
  writeFileSync(join(target, 'events.jsonl'), events.join('\n'));
  writeFileSync(join(target, 'pages.json'), JSON.stringify([{ page: 1, title: 'start' }]));
  for (const name of ['plan', 'staff']) {
    const book = utils.book_new();
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet([
        ['Region', 'Amount'],
        ['North', 5],
      ]),
      `${name} one`,
    );
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet([
        ['Name', 'Region'],
        ['Ann', 'North'],
      ]),
      `${name} two`,
    );
    writeFileSync(join(target, `${name}.xlsx`), write(book, { type: 'buffer', bookType: 'xlsx' }));
  }
}

function run(cwd: string, ...argv: readonly string[]): void {
  execFileSync(process.execPath, [...candorProgram(), ...argv], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function megabytes(path: string): number {
  return Math.round(statSync(path).size / 1e6);
}
