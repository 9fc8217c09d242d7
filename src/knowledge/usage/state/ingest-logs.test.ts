import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../../test/fixtures/code-of.ts';
import { madeLog } from '../../../../test/fixtures/usage/made-log.ts';
import { shopCatalog } from '../../../../test/fixtures/usage/shop-catalog.ts';
import type { StateFile } from '../../../store/index.ts';
import { readUsage } from '../read-usage.ts';
import { type IngestOptions, ingestLogs } from './ingest-logs.ts';
import { writeRejected } from './run-writer.ts';
import { openUsageFile } from './usage-file.ts';

const FIXTURES = fileURLToPath(new URL('../../../../test/fixtures/usage/', import.meta.url));
const SHOP = shopCatalog('postgres');
const OPTIONS = { catalog: SHOP };

let folder = '';
let file: StateFile;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-usage-'));
  file = await openUsageFile(join(folder, 'usage.sqlite'));
});
afterEach(async () => {
  file.close();
  await rm(folder, { recursive: true, force: true });
});

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const ingest = (path: string, options: Partial<IngestOptions> = {}) =>
  ingestLogs(file, [path], { ...OPTIONS, ...options });
const usageOf = (state: StateFile) => readUsage(state, { asOf: '2024-05-31' });
const lines = (...objects: readonly object[]) =>
  objects.map((object) => `${JSON.stringify(object)}\n`).join('');

/** All that the file says of runs, in an order of its own. */
function contentOf(state: StateFile): unknown {
  return {
    runs: state
      .prepare(
        `SELECT s.key, s.sql, u.name, r.day, r.runs FROM runs r JOIN statements s ON s.id = r.statement_id
         JOIN users u ON u.id = r.user_id WHERE r.runs <> 0 ORDER BY 1, 3, 4`,
      )
      .all(),
    unknown: state.prepare('SELECT * FROM unknown_tables ORDER BY 1').all(),
    rejected: state.prepare('SELECT place, reason FROM rejected ORDER BY 1').all(),
    counts: state.prepare('SELECT counts FROM logs').all(),
  };
}

describe('ingestLogs', () => {
  it('counts every line in one place', async () => {
    const path = write('made.jsonl', madeLog(700));
    const [log] = await ingest(path);
    expect(log).toMatchObject({
      format: 'json',
      counts: { counted: 495, notReading: 99, unknownTables: 99, 'rejected.not-json': 7 },
      leftBytes: 0,
    });
    const usage = usageOf(file);
    expect(usage.tables.map(({ tableId, runs, users }) => [tableId, runs, users])).toEqual(
      expect.arrayContaining([
        ['orders', 198, 13],
        ['customers', 198, 13],
        ['order_items', 99, 13],
      ]),
    );
    expect(usage.unknownTables).toEqual([{ name: 'warehouse.stock', runs: 99 }]);
  });

  it('counts nothing twice: the same log, a copy, a packed copy, one that has grown', async () => {
    const text = madeLog(300);
    const path = write('a.jsonl', text);
    await ingest(path);
    const once = usageOf(file);
    copyFileSync(path, join(folder, 'b.jsonl'));
    for (const again of [path, join(folder, 'b.jsonl'), write('c.jsonl.gz', gzipSync(text))]) {
      const [log] = await ingest(again);
      expect(log).toMatchObject({ readBytes: 0, counts: {}, knownBytes: text.length });
    }
    expect(usageOf(file)).toEqual(once);
    writeFileSync(path, madeLog(500));
    const [grown] = await ingest(path);
    expect(grown?.knownBytes).toBe(text.length);
    const whole = await openUsageFile(join(folder, 'whole.sqlite'));
    await ingestLogs(whole, [path], OPTIONS);
    expect(usageOf(file)).toEqual(usageOf(whole));
    whole.close();
  });

  it('knows again a log that was short when it was first read', async () => {
    const path = write('log.jsonl', lines({ sql: 'SELECT id FROM orders' }));
    await ingest(path);
    writeFileSync(path, lines({ sql: 'SELECT id FROM orders' }, { sql: 'SELECT id FROM products' }));
    expect((await ingest(path))[0]?.counts).toEqual({ counted: 1 });
    writeFileSync(path, madeLog(10));
    expect((await ingest(path))[0]?.knownBytes).toBe(0);
  });

  it('knows runs again that have an id, in whatever log they stand', async () => {
    const event = {
      query_id: 'q1',
      state: 'FINISHED',
      user: 'a',
      query: 'SELECT id FROM orders',
      created: '2024-05-06',
    };
    const first = write('first.jsonl', lines(event, { ...event, query_id: 'q2' }));
    const second = write('second.jsonl', lines({ ...event, query_id: 'q3' }, event));
    const logs = await ingestLogs(file, [first, second], OPTIONS);
    expect(logs.map(({ counts }) => counts)).toEqual([{ counted: 2 }, { counted: 1, repeated: 1 }]);
  });

  it('leaves an end that is not written yet for the next time', async () => {
    const whole = readFileSync(`${FIXTURES}postgres.csv`, 'utf8');
    const cut = whole.indexOf('WHERE status');
    const path = write('postgres.csv', whole.slice(0, cut));
    expect((await ingest(path))[0]).toMatchObject({ counts: {}, leftBytes: cut });
    writeFileSync(path, whole);
    expect((await ingest(path))[0]).toMatchObject({
      counts: { counted: 3, failed: 1, noRun: 6, otherDatabase: 1, 'rejected.not-csv': 1 },
      leftBytes: 0,
    });
  });

  it('takes back what failed after it was told', async () => {
    await ingest(`${FIXTURES}postgres.csv`);
    const { tables, examples } = readUsage(file, { asOf: '2024-05-06' });
    expect(tables.map(({ tableId, runs }) => [tableId, runs])).toEqual([
      ['orders', 1],
      ['products', 1],
    ]);
    expect(examples).toEqual([]);
  });

  it('counts what a counter has grown by, also after it was reset', async () => {
    const row = (calls: number) =>
      lines({ queryid: '1', rolname: 'a', query: 'SELECT id FROM orders', calls });
    const totals: (number | undefined)[] = [];
    for (const [index, calls] of [7, 9, 9, 4].entries()) {
      await ingest(write(`snapshot-${index}.jsonl`, row(calls)));
      totals.push(readUsage(file, { asOf: '2099-01-01', days: 36_000 }).tables[0]?.runs);
    }
    expect(totals).toEqual([7, 9, 9, 13]);
  });

  it('reads from a day on only, and keeps no constants that look personal', async () => {
    const path = write('made.jsonl', madeLog(700));
    const [log] = await ingest(path, { since: '2024-05-15' });
    expect(log?.counts.tooOld).toBe(347);
    const texts = file.prepare('SELECT sql FROM statements').all();
    expect(JSON.stringify(texts)).toContain('email =');
    expect(readFileSync(join(folder, 'usage.sqlite-wal'), 'latin1')).not.toContain('@example.com');
  });

  it('takes more than twenty different constants for a parameter', async () => {
    const entry = (n: number, at = '2024-05-06') => ({ sql: `SELECT id FROM orders WHERE id = ${n}`, at });
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    const path = write('log.jsonl', lines(...numbers.map((n) => entry(n))));
    await ingest(path);
    const count = () => Number(file.prepare('SELECT COUNT(*) AS n FROM statements').get()?.n);
    expect(count()).toBe(20);
    writeFileSync(
      path,
      lines(...numbers.map((n) => entry(n)), entry(20), entry(21, '2024-05-07'), entry(22)),
    );
    await ingest(path);
    expect(count()).toBe(1);
    expect(usageOf(file).examples).toMatchObject([
      {
        sql: 'SELECT id FROM orders WHERE id = 21',
        runs: 23,
        users: 1,
        firstAt: '2024-05-06',
        lastAt: '2024-05-07',
      },
    ]);
  });

  it('sets aside what is malformed, with its text only on request', async () => {
    const path = write(
      'log.jsonl',
      `${lines({ sql: 'SELECT id FROM orders' })}{"sql": "secret\n{"sql": "SELECT FROM secret WHERE"}\n`,
    );
    await ingest(path);
    const aside = join(folder, 'rejected.jsonl');
    expect(await writeRejected(file, aside)).toBe(2);
    expect(readFileSync(aside, 'utf8')).toBe(
      lines({ place: `${path}:2`, reason: 'not-json' }, { place: `${path}:3`, reason: 'not-sql, SQL 1:25' }),
    );
    expect(readFileSync(join(folder, 'usage.sqlite-wal'), 'latin1')).not.toContain('secret');
    await ingest(write('again.jsonl', '{"sql": "SELECT FROM secret WHERE"}\n'), { keepsRejected: true });
    await writeRejected(file, aside);
    expect(readFileSync(aside, 'utf8')).toContain('"text":"SELECT FROM secret WHERE"');
  });

  it('goes on behind a statement that stands for too much', async () => {
    const steps = Array.from({ length: 40 }, (_, n) => `c${n + 1} AS (SELECT * FROM c${n} a, c${n} b)`);
    const doubled = `WITH c0 AS (SELECT * FROM orders), ${steps.join(', ')} SELECT * FROM c40`;
    const at = '2024-05-01T10:00:00Z';
    const text = lines({ sql: doubled, user: 'a', at }, { sql: 'SELECT id FROM orders', user: 'a', at });
    const [log] = await ingest(write('doubled.jsonl', text));
    expect(log?.counts).toEqual({ counted: 1, 'rejected.not-sql': 1 });
  });

  it('says what it cannot read', async () => {
    const codes = await Promise.all(
      [
        join(folder, 'nowhere.log'),
        folder,
        write('utf16.jsonl', Buffer.from('\uFEFF{"sql": "SELECT 1"}', 'utf16le')),
        write('hello.txt', 'hello'),
      ].map((path) => codeOf(ingest(path))),
    );
    expect(codes).toEqual([
      'usage.unreadable-log',
      'usage.unreadable-log',
      'usage.unreadable-log',
      'usage.unknown-format',
    ]);
    expect(await ingest(write('empty.log', ''))).toMatchObject([{ counts: {}, readBytes: 0 }]);
  });

  it('keeps what it read of a packed log that is cut off', async () => {
    const packed = gzipSync(madeLog(20_000));
    const path = write('cut.gz', packed.subarray(0, packed.length - 1_000));
    expect(await codeOf(ingest(path))).toBe('usage.unreadable-log');
    writeFileSync(path, packed);
    const [log] = await ingest(path);
    expect(log?.knownBytes).toBeGreaterThan(0);
    expect(usageOf(file).tables.find(({ tableId }) => tableId === 'products')?.runs).toBe(5_657);
  });

  it('reads a log again in the right format when the first try counted nothing', async () => {
    const path = write('log', madeLog(50));
    const [wrong] = await ingest(path, { format: 'mysql-general' });
    expect(wrong?.counts).toEqual({ 'rejected.no-header': 50 });
    const [right] = await ingest(path, { format: 'json' });
    expect(right?.counts.counted).toBeGreaterThan(0);
    expect(await codeOf(ingest(path, { format: 'snowflake' }))).toBe('usage.unknown-format');
  });

  it('stops on request and goes on', async () => {
    const path = write('made.jsonl', madeLog(10_000));
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    expect(await codeOf(ingest(path, { signal: controller.signal, onProgress }))).toBe('usage.cancelled');
    const [log] = await ingest(path);
    expect(log?.knownBytes).toBeGreaterThan(0);
    expect(log?.readBytes).toBeGreaterThan(0);
    expect(usageOf(file).unknownTables).toEqual([{ name: 'warehouse.stock', runs: 1_414 }]);
  });

  it('tells how far it is, in bytes', async () => {
    const path = write('made.jsonl', madeLog(10_000));
    const seen: (readonly [number, number])[] = [];
    await ingest(path, { onProgress: ({ done, total }) => seen.push([done, total]) });
    const size = readFileSync(path).length;
    expect(seen.at(-1)).toEqual([size, size]);
    expect(seen.length).toBeGreaterThan(2);
  });
});

/** Logs of every kind of reader: what each remembers between lines must survive a stop at any place. */
const SPLITTABLE = [
  'postgres.csv',
  'snowflake-history.csv',
  'snowflake-history.json',
  'mysql-general.log',
  'mariadb-general.log',
  'mysql-slow.log',
  'trino-events.jsonl',
];

describe('a log that grows', () => {
  it.each(SPLITTABLE)('%s gives the same in any parts', async (name) => {
    const bytes = readFileSync(FIXTURES + name);
    const format = (await import('../logs/detect-format.ts')).detectFormat(bytes.toString())?.format;
    const dialect = name.startsWith('m') ? ('mysql' as const) : ('postgres' as const);
    const options: IngestOptions = { catalog: shopCatalog(dialect), ...(format ? { format } : {}) };
    const ingestParts = async (ends: readonly number[]) => {
      const own = await mkdtemp(join(folder, 'parts-'));
      const state = await openUsageFile(join(own, 'usage.sqlite'));
      for (const end of ends) {
        writeFileSync(join(own, name), bytes.subarray(0, end));
        await ingestLogs(state, [join(own, name)], options);
      }
      const content = contentOf(state);
      state.close();
      return JSON.stringify(content).replaceAll(own, '');
    };
    const whole = await ingestParts([bytes.length]);
    // An export is made once: parts of CSV end with a line, those of server logs anywhere.
    const isExport = name.endsWith('history.csv');
    const ends = isExport
      ? [...bytes.keys()].filter((at) => bytes[at - 1] === 0x0a)
      : [...bytes.keys()].slice(1);
    const inRecords = isExport
      ? ends.filter((at) => !/^(?:FROM|WHERE|GROUP)/.test(bytes.toString('utf8', at)))
      : ends;
    await fc.assert(
      fc.asyncProperty(fc.subarray(inRecords, { minLength: 1, maxLength: 4 }), async (parts) => {
        expect(await ingestParts([...parts, bytes.length])).toBe(whole);
      }),
      { numRuns: 20 },
    );
  });
});

describe('kill -9', () => {
  it('loses nothing and counts nothing twice, whenever it strikes', async () => {
    const log = write('made.jsonl', madeLog(20_000));
    const state = join(folder, 'killed.sqlite');
    const ended: boolean[] = [];
    for (const wait of [1, 70, 140, 210]) ended.push(await runChild(state, log, wait));
    expect(ended).toContain(false);
    const killed = await openUsageFile(state);
    await ingestLogs(killed, [log], OPTIONS);
    await ingest(log);
    expect(contentOf(killed)).toEqual(contentOf(file));
    killed.close();
  }, 60_000);
});

/** Runs the ingestion and kills it some time after it began; true when it ended before that. */
async function runChild(state: string, log: string, killAfterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, ['--import', 'tsx', `${FIXTURES}ingest-child.ts`, state, log], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), killAfterMs));
  return (await ended) === 0;
}

describe('bytes of any kind', () => {
  const formats = [
    'postgres-csvlog',
    'postgres-jsonlog',
    'mysql-general',
    'mysql-slow',
    'snowflake',
    'json',
  ] as const;
  const words = [
    '"',
    ',',
    '\n',
    '{',
    '}',
    '[',
    "'",
    ';',
    '\0',
    '\r\n',
    '# Time: ',
    '\t\t 8 Query\t',
    'SELECT ',
    '2024-05-06 10:00:00.000 UTC,',
    '\\',
    'é',
    '$1',
  ];

  it.each(formats)('never break the reading of %s', async (format) => {
    const chunk = fc.oneof(
      fc.constantFrom(...words).map((word) => Buffer.from(word)),
      fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { minLength: 1, maxLength: 60 }), async (chunks) => {
        run += 1;
        const path = write(`fuzz-${format}-${run}`, Buffer.concat(chunks));
        const code = await codeOf(ingest(path, { format }));
        // The same bytes again, UTF-16 by chance, gzip by chance.
        expect(['no error', 'usage.unreadable-log', 'usage.unknown-format']).toContain(code);
      }),
      { numRuns: 60 },
    );
  });
});
