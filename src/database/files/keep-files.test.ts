import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { utils, write } from '@e965/xlsx';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect } from '../connect/connect.ts';
import { filesUrl, listFiles, nameOfFiles } from './file-source.ts';
import { type FilesEvent, keepFiles } from './keep-files.ts';
import { loadGroup } from './load-tables.ts';

const LIMITS = { rows: 1000, bytes: 1_000_000, timeoutMs: 10_000 };

let folder = '';
let notes: string[] = [];
const opened: DuckDBInstance[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-files-'));
  mkdirSync(join(folder, 'data'));
  notes = [];
});
afterEach(() => {
  for (const instance of opened.splice(0)) instance.closeSync();
  rmSync(folder, { recursive: true, force: true });
});

function put(name: string, content: string | Uint8Array): void {
  writeFileSync(join(folder, 'data', name), content);
}

async function load(
  what = 'data',
  signal?: AbortSignal,
  onEvent: (event: FilesEvent) => void = () => undefined,
) {
  const url = filesUrl(what, folder);
  if (url === undefined) throw new Error(`${what} names no files`);
  const onProgress = (event: FilesEvent): void => {
    if (event.kind === 'note') notes.push(event.message);
    onEvent(event);
  };
  return keepFiles(url, { folder: join(folder, 'kept'), alone: (work) => work(), onProgress, signal });
}

async function read(path: string, sql: string): Promise<unknown> {
  const database = await connect(`duckdb:${path}`);
  try {
    const { rows } = await database.query(sql, LIMITS);
    return rows;
  } finally {
    await database.close();
  }
}

/** A module that kills the process which opens the file, as a system does that has no memory left. */
function killerOf(name: string): string {
  const path = join(folder, 'killer.mjs');
  writeFileSync(
    path,
    `import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
const { open } = promises;
promises.open = (path, ...rest) => {
  if (String(path).endsWith(${JSON.stringify(name)})) process.kill(process.pid, 'SIGKILL');
  return open(path, ...rest);
};
syncBuiltinESMExports();`,
  );
  return path;
}

/** The same without a process of its own. */
async function loadHere(what = 'data') {
  const instance = await DuckDBInstance.create(':memory:');
  opened.push(instance);
  const connection = await instance.connect();
  const taken = new Set<string>();
  const found: string[] = [];
  for (const group of listFiles(filesUrl(what, folder) ?? ''))
    for (const table of await loadGroup(group, { connection, folder, taken })) found.push(...table.notes);
  const rows = async (sql: string): Promise<unknown> => {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRows().map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)));
  };
  return { read: rows, notes: found };
}

describe('tables of files', () => {
  it('has a table for each file, with names and types as SQL likes them', async () => {
    put(
      'Order Lines (2024).csv',
      'OrderID,Ship Date,Post Code,Price ($),Paid\n1,2024-01-31,01234,"$1,200.50",true\n2,2024-02-01,99999,$3.00,false\n',
    );
    const tables = await loadHere('data');
    expect(
      await tables.read(
        'SELECT column_name, data_type FROM duckdb_columns() WHERE NOT internal ORDER BY column_index',
      ),
    ).toEqual([
      ['order_id', 'BIGINT'],
      ['ship_date', 'DATE'],
      ['post_code', 'VARCHAR'],
      ['price', 'DOUBLE'],
      ['paid', 'BOOLEAN'],
    ]);
    expect(await tables.read('SELECT price, post_code FROM order_lines_2024 ORDER BY order_id')).toEqual([
      [1200.5, '01234'],
      [3, '99999'],
    ]);
  });

  it.each([
    ['latin1', Buffer.from('Stadt;Größe\nKöln;1,5\nWürzburg;2\n', 'latin1')],
    [
      'utf16le',
      Buffer.concat([
        Buffer.from([0xff, 0xfe]),
        Buffer.from('Stadt\tGröße\nKöln\t1,5\nWürzburg\t2\n', 'utf16le'),
      ]),
    ],
    ['short utf16le without a mark', Buffer.from('Stadt\tGröße\nKöln\t1,5\nWürzburg\t2\n', 'utf16le')],
    ['utf8 with a mark', Buffer.from('\uFEFFStadt|Größe\nKöln|1,5\nWürzburg|2\n')],
    ['line ends of two kinds', Buffer.from('Stadt;Größe\nKöln;1,5\r\nWürzburg;2\r\n')],
    ['old line ends', Buffer.from('Stadt;Größe\rKöln;1,5\rWürzburg;2\r')],
    ['titles above', Buffer.from('Export of cities;\n\nStadt;Größe\nKöln;1,5\nWürzburg;2\n')],
  ])('reads %s', async (_, bytes) => {
    put('cities.csv', bytes);
    const tables = await loadHere('data/cities.csv');
    expect(await tables.read('SELECT stadt, "größe" FROM cities ORDER BY stadt')).toEqual([
      ['Köln', 1.5],
      ['Würzburg', 2],
    ]);
  });

  it('finds signs that are not UTF-8 behind the beginning of a file', async () => {
    const start = `name,n\n${'Anna,1\n'.repeat(60_000)}`;
    put('people.csv', Buffer.concat([Buffer.from(start), Buffer.from('Jürgen,2\n', 'latin1')]));
    const tables = await loadHere();
    expect(await tables.read('SELECT count(*), max(name) FROM people')).toEqual([[60_001, 'Jürgen']]);
    expect(tables.notes).toContain('read as windows-1252');
  });

  it('keeps values that do not fit the type of the beginning', async () => {
    put('mixed.csv', `n\n${'1\n'.repeat(100_001)}many\n`);
    const tables = await loadHere();
    expect(await tables.read("SELECT count(*) FROM mixed WHERE n = 'many'")).toEqual([[1]]);
  });

  it('says which lines do not have the columns, and reads the others', async () => {
    put('ragged.csv', 'a,b,c\n1,2,x\n1,2\n1,2,3,4\n5,6,y\n');
    const tables = await loadHere();
    expect(await tables.read('SELECT a, b, c FROM ragged ORDER BY a, c')).toEqual([
      [1, 2, 'x'],
      [1, 2, null],
      [5, 6, 'y'],
    ]);
    expect(tables.notes).toEqual([
      'lines with fewer cells than columns: 1, the first is line 3; what they lack is empty',
      'lines that do not have its columns left out: 1, the first is line 4',
    ]);
  });

  it('reads files that differ in digits as one table, and others of another shape apart', async () => {
    put('sales_2022.csv', 'id,amount\n1,5\n');
    put('sales_2023.csv', 'id,amount\n2,7\n');
    put('sales_2024.csv', 'id,amount,currency\n3,9,EUR\n');
    const tables = await loadHere();
    expect(await tables.read('SELECT id, amount, source_file FROM sales ORDER BY id')).toEqual([
      [1, 5, 'sales_2022.csv'],
      [2, 7, 'sales_2023.csv'],
    ]);
    expect(await tables.read('SELECT currency FROM sales_2024')).toEqual([['EUR']]);
  });

  it('reads JSON lines with their fields as columns, also when packed', async () => {
    const lines = [
      { id: 1, customer: { no: '007', city: 'Rome' } },
      { id: 2, customer: { no: '008', city: null } },
    ];
    put('events.jsonl.gz', gzipSync(lines.map((line) => JSON.stringify(line)).join('\n')));
    const tables = await loadHere();
    expect(await tables.read('SELECT id, customer_no, customer_city FROM events ORDER BY id')).toEqual([
      [1, '007', 'Rome'],
      [2, '008', null],
    ]);
  });

  it('reads Parquet', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT 7 AS visits, DATE '2024-05-01' AS day) TO '${join(folder, 'data/visits.parquet')}'`,
    );
    instance.closeSync();
    const tables = await loadHere();
    expect(await tables.read("SELECT visits FROM visits WHERE day = DATE '2024-05-01'")).toEqual([[7]]);
  });

  it('reads the sheets of a workbook: titles, merged cells, dates', async () => {
    const book = utils.book_new();
    const plan = utils.aoa_to_sheet([
      ['Budget 2024', null, null],
      [],
      ['Region', 'Month', 'Amount (EUR)'],
      ['North', new Date(Date.UTC(2024, 0, 1)), 1200.5],
      [null, new Date(Date.UTC(2024, 1, 1)), 1300],
    ]);
    plan['!merges'] = [
      { s: { r: 0, c: 0 }, e: { r: 0, c: 2 } },
      { s: { r: 3, c: 0 }, e: { r: 4, c: 0 } },
    ];
    utils.book_append_sheet(book, plan, 'Budget Plan');
    utils.book_append_sheet(book, utils.aoa_to_sheet([['Rep'], ['Ann'], ['Bob']]), 'Sheet2');
    utils.book_append_sheet(book, utils.aoa_to_sheet([]), 'Sheet3');
    put('plan.xlsx', write(book, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array);
    const tables = await loadHere('data/plan.xlsx');
    expect(
      await tables.read('SELECT region, CAST(month AS VARCHAR), amount_eur FROM budget_plan ORDER BY month'),
    ).toEqual([
      ['North', '2024-01-01', 1200.5],
      ['North', '2024-02-01', 1300],
    ]);
    expect(await tables.read('SELECT count(*) FROM plan')).toEqual([[2]]);
  });
});

describe('a database that is kept of files', () => {
  it('leaves out what it cannot read, and says so', async () => {
    put('good.csv', 'a,b\n1,2\n');
    put('empty.csv', '');
    put('bad.parquet', 'PAR0 this is none');
    const { path } = await load();
    expect(await read(path, 'SELECT a FROM good')).toEqual([[1]]);
    expect(notes.sort()).toEqual([
      expect.stringMatching(/^bad\.parquet could not be read: /),
      'empty.csv could not be read: it is empty',
    ]);
  });

  it('refuses where nothing can be read', async () => {
    put('empty.csv', '');
    await expect(load()).rejects.toMatchObject({ code: 'database.not-a-database' });
    await expect(load('data/*.parquet')).rejects.toMatchObject({ code: 'database.not-a-database' });
    await expect(load('data/gone.csv')).rejects.toMatchObject({ code: 'database.not-found' });
  });

  it('reads again what has changed, and forgets what is gone', async () => {
    put('a.csv', 'n,m\n1,1\n');
    put('b.csv', 'n,m\n2,2\n');
    put('c.csv', 'n,m\n3,3\n');
    const first = await load();
    const same = await load();
    expect(same).toEqual(first);
    put('b.csv', 'n,m\n20,20\n');
    const { mtimeMs } = statSync(join(folder, 'data/b.csv'));
    utimesSync(join(folder, 'data/b.csv'), new Date(), new Date(mtimeMs + 5000));
    rmSync(join(folder, 'data/c.csv'));
    const next = await load();
    expect(next.stamp).not.toBe(first.stamp);
    expect(await read(next.path, 'SELECT a.n, b.n FROM a, b')).toEqual([[1, 20]]);
    await expect(read(next.path, 'SELECT n FROM c')).rejects.toMatchObject({ code: 'database.query-failed' });
  });

  it('reads a file again whose size and time are as before', async () => {
    put('a.csv', 'n,m\n1,1\n');
    const path = join(folder, 'data/a.csv');
    const { atime, mtime } = statSync(path);
    const first = await load();
    put('a.csv', 'n,m\n2,2\n');
    utimesSync(path, atime, mtime);
    const { path: kept, stamp } = await load();
    expect(stamp).not.toBe(first.stamp);
    expect(await read(kept, 'SELECT n FROM a')).toEqual([[2]]);
  });

  it('reads the others where a link leads nowhere, and waits for no pipe', async () => {
    put('a.csv', 'n,m\n1,1\n');
    symlinkSync(join(folder, 'nowhere.csv'), join(folder, 'data/b.csv'));
    symlinkSync(join(folder, 'data/a.csv'), join(folder, 'data/c.csv'));
    execFileSync('mkfifo', [join(folder, 'data/d.csv')]);
    const { path } = await load();
    expect(await read(path, 'SELECT a.n, c.n FROM a, c')).toEqual([[1, 1]]);
    expect(notes).toEqual([expect.stringMatching(/^b\.csv could not be read: ENOENT/)]);
    await expect(load('data/d.csv')).rejects.toMatchObject({ code: 'database.not-a-database' });
  });

  it('reads more files than an argument has room for', async () => {
    const long = 'x'.repeat(200);
    for (let at = 0; at < 700; at += 1) put(`${long}_${at}.csv`, `n,m\n${at},1\n`);
    const { path } = await load();
    expect(await read(path, `SELECT count(*), sum(n) FROM ${long}`)).toEqual([[700, 244_650]]);
  }, 60_000);

  it('starts from its list, whatever a run that was killed has left in the database', async () => {
    put('a.csv', 'n,m\n1,1\n');
    const { path } = await load();
    const instance = await DuckDBInstance.create(`${path}.unfinished`);
    const connection = await instance.connect();
    await connection.run('CREATE TABLE a AS SELECT 7 AS n; CREATE TABLE b AS SELECT 8 AS n; CHECKPOINT');
    connection.closeSync();
    instance.closeSync();
    put('b.csv', 'n,m\n2,2\n');
    await load();
    expect(await read(path, 'SELECT a.n, b.n FROM a, b')).toEqual([[1, 2]]);
  });

  it('leaves out a file that ends the process, and reads the others', async () => {
    put('a.csv', 'n,m\n1,1\n');
    put(
      'b.xlsx',
      write(utils.book_new(utils.aoa_to_sheet([['n'], [1]]), 'S'), { type: 'buffer' }) as Uint8Array,
    );
    put('c.csv', 'n,m\n3,3\n');
    vi.stubEnv('NODE_OPTIONS', `--import ${JSON.stringify(pathToFileURL(killerOf('b.xlsx')).href)}`);
    const { path } = await load();
    vi.unstubAllEnvs();
    expect(await read(path, 'SELECT a.n, c.n FROM a, c')).toEqual([[1, 3]]);
    expect(notes).toEqual([
      expect.stringMatching(/^b\.xlsx could not be read: .*SIGKILL.* may need more memory/),
    ]);
  });

  it('says that its folder cannot be written, as on a full disk, also in the middle', async () => {
    put('a.csv', 'n,m\n1,1\n');
    put('b.csv', 'n,m\n2,2\n');
    const inTheWay = join(folder, 'kept', 'data.duckdb.unfinished.json.new');
    const stop = (event: FilesEvent): void => {
      if (event.kind === 'note') mkdirSync(inTheWay);
    };
    put('c.csv', '');
    put('d.csv', 'n,m\n4,4\n');
    await expect(load('data', undefined, stop)).rejects.toMatchObject({ code: 'catalog.not-writable' });
    rmSync(inTheWay, { recursive: true });
    const { path } = await load();
    expect(await read(path, 'SELECT a.n, b.n, d.n FROM a, b, d')).toEqual([[1, 2, 4]]);
  });

  it('goes on after it was stopped', async () => {
    put('a.csv', 'n,m\n1,1\n');
    put('b.csv', 'n,m\n2,2\n');
    const stop = new AbortController();
    stop.abort();
    await expect(load('data', stop.signal)).rejects.toMatchObject({ code: 'database.cancelled' });
    const { path } = await load();
    expect(await read(path, 'SELECT a.n, b.n FROM a, b')).toEqual([[1, 2]]);
  });
});

describe('what names files', () => {
  it.each([
    ['sales.csv', 'files:/srv/sales.csv'],
    ['a.csv;b.xlsx', 'files:/srv/a.csv;/srv/b.xlsx'],
    ['files:sales.tsv.gz', 'files:/srv/sales.tsv.gz'],
    ['data/*.parquet', 'files:/srv/data/*.parquet'],
    ['shop.db', undefined],
    ['sqlite:shop.db', undefined],
    ['postgres://reader@host/a.csv', undefined],
    ['sales', undefined],
  ])('%s', (text, url) => expect(filesUrl(text, '/srv')).toBe(url));
});

describe('what a source is called', () => {
  it.each([
    ['files:/srv/Sales 2024.csv', 'sales_2024'],
    ['files:/srv/events.jsonl.gz', 'events'],
    ['files:/srv/data', 'data'],
    ['files:/srv/data/*.csv', 'data'],
    ['files:/srv/data/a.csv;/srv/data/b.csv', 'data'],
  ])('%s', (url, name) => expect(nameOfFiles(url)).toBe(name));
});
