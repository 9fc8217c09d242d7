import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { detectFormat } from './detect-format.ts';
import type { LogEntry, LogSink } from './lines/log-entry.ts';
import { createLogReader, type DetectedLog } from './log-formats.ts';
import { LineSplitter, ObjectSplitter } from './split-bytes.ts';

const FOLDER = fileURLToPath(new URL('../../../../test/fixtures/usage/', import.meta.url));

interface Told {
  readonly detected: DetectedLog | undefined;
  readonly entries: LogEntry[];
  readonly rejected: string[];
  skipped: number;
}

function readLog(bytes: Buffer): Told {
  const detected = detectFormat(bytes.toString());
  const told: Told = { detected, entries: [], rejected: [], skipped: 0 };
  if (detected === undefined) return told;
  const sink: LogSink = {
    entry: (entry) => told.entries.push(entry),
    reject: (line, reason) => told.rejected.push(`${line} ${reason}`),
    skip: () => {
      told.skipped += 1;
    },
  };
  const start = { offset: 0, line: 1 };
  const splitter = detected.container === 'json-array' ? new ObjectSplitter(start) : new LineSplitter(start);
  const reader = createLogReader(detected);
  for (const line of splitter.push(bytes)) reader.read(line, sink);
  for (const line of splitter.end()) reader.read(line, sink);
  reader.end(sink);
  return told;
}

const readFixture = (name: string): Told => readLog(readFileSync(FOLDER + name));
const brief = ({ entries }: Told) =>
  entries.map(({ line, user, day, runs, isSuccess, schema, sql }) =>
    [line, user, day, `${runs}${isSuccess ? '' : ' failed'}`, schema ?? '-', sql.replace(/\s+/g, ' ')].join(
      ' | ',
    ),
  );

describe('PostgreSQL', () => {
  it('csvlog: statements over lines, prepared ones, failures, a broken line', () => {
    const told = readFixture('postgres.csv');
    expect(told.detected).toEqual({ format: 'postgres-csvlog', container: 'text' });
    expect(brief(told)).toEqual([
      `1 | anna | 2024-05-06 | 1 | - | SELECT id FROM orders -- a "quoted" word, and a comma WHERE status = 'paid'`,
      '7 | ben | 2024-05-06 | 1 | - | SELECT name FROM products WHERE id = $1',
      '8 | anna | 2024-05-06 | 1 | - | SELECT nope FROM orders',
      '9 | anna | 2024-05-06 | -1 failed | - | SELECT nope FROM orders',
      '10 | ben | 2024-05-06 | 1 | - | SELECT id FROM orders',
    ]);
    expect(told.entries[4]).toMatchObject({ database: 'other', id: 'postgres 6638a1.66 1' });
    expect(told.rejected).toEqual(['12 not-csv']);
    expect(told.skipped).toBe(6);
  });

  it('jsonlog', () => {
    const record = (fields: object) =>
      JSON.stringify({
        timestamp: '2024-05-06 10:00:00.001 UTC',
        user: 'anna',
        dbname: 'shop',
        session_id: '6638a1.64',
        line_num: 1,
        error_severity: 'LOG',
        ...fields,
      });
    const told = readLog(
      Buffer.from(
        [
          record({ message: 'statement: SELECT 1;\nSELECT id FROM orders' }),
          record({ line_num: 2, error_severity: 'ERROR', message: 'no', statement: 'SELECT other' }),
          record({ line_num: 3, message: 'duration: 1.5 ms  statement: SELECT 2' }),
          record({ line_num: 4, error_severity: 'ERROR', message: 'no', statement: 'SELECT 2' }),
          '{"timestamp": "2024-05',
          'null',
          '\0\0\0',
          '',
        ].join('\r\n'),
      ),
    );
    expect(told.detected?.format).toBe('postgres-jsonlog');
    expect(brief(told)).toEqual([
      '1 | anna | 2024-05-06 | 1 | - | SELECT 1; SELECT id FROM orders',
      '3 | anna | 2024-05-06 | 1 | - | SELECT 2',
    ]);
    // An error takes back only what was told before it ran.
    expect(told.skipped).toBe(2);
    expect(told.rejected).toEqual(['5 not-json', '6 not-json', '7 nul-bytes']);
  });

  it('pg_stat_statements: counters', () => {
    const told = readFixture('postgres-statements.csv');
    expect(told.detected).toEqual({ format: 'postgres-statements', container: 'csv' });
    expect(told.entries.map(({ user, database, runs, counter }) => [user, database, runs, counter])).toEqual([
      ['anna', 'shop', 7, 'shop 10 -1234567890123456789'],
      ['anna', 'other', 3, 'other 10 42'],
      ['ben', 'shop', 2, 'shop 11 44'],
    ]);
    expect(told.rejected).toEqual(['4 hidden-text']);
  });
});

describe('MySQL and MariaDB', () => {
  it('general log: connections, databases, statements over lines', () => {
    const told = readFixture('mysql-general.log');
    expect(told.detected?.format).toBe('mysql-general');
    expect(brief(told)).toEqual([
      "5 | anna | 2024-05-06 | 1 | shop | SELECT id FROM orders WHERE status = 'paid'",
      '12 | ben | 2024-05-06 | 1 | shop | SELECT name FROM products WHERE id = 7',
      '13 | ben | 2024-05-06 | 1 | shop | use other',
      '14 | ben | 2024-05-06 | 1 | other | SELECT id FROM orders',
      "15 | anna | 2024-05-06 | 1 | shop | SHOW VARIABLES LIKE 'x'",
      '16 | unknown | 2024-05-06 | 1 | - | SELECT id FROM shop.orders',
    ]);
    expect(told.rejected).toEqual([]);
  });

  it('general log of MariaDB: the time stands only where it changes', () => {
    const told = readFixture('mariadb-general.log');
    expect(told.rejected).toEqual([]);
    expect(brief(told)).toEqual([
      '5 | anna | 2024-05-06 | 1 | shop | SELECT id FROM orders',
      '6 | anna | 2024-05-07 | 1 | shop | SELECT id FROM orders',
    ]);
  });

  it('slow log: the database stays until it changes', () => {
    const told = readFixture('mysql-slow.log');
    expect(told.detected?.format).toBe('mysql-slow');
    expect(brief(told)).toEqual([
      "4 | anna | 2024-05-06 | 1 | shop | SELECT id FROM orders # a comment of the statement WHERE status = 'paid';",
      '13 | ben | 2024-05-07 | 1 | shop | SELECT id FROM orders;',
      '18 | ben | 2024-05-06 | 1 failed | shop | SELECT name FROM products;',
    ]);
    expect(told.rejected).toEqual([]);
  });

  it.each(['mysql-general.log', 'mysql-slow.log'])(
    '%s: a statement that is too long is one rejection',
    (name) => {
      const [banner, first] = [
        readFileSync(FOLDER + name, 'utf8')
          .split('\n')
          .slice(0, 3),
        'x'.repeat(99),
      ];
      const header =
        name === 'mysql-slow.log'
          ? '# Time: 2024-05-06T10:00:00Z\n# User@Host: a[a] @ h []  Id: 8\nSET timestamp=1714989600;\nSELECT'
          : '2024-05-06T10:00:01.000001Z\t    8 Query\tSELECT';
      const log = [...banner, header, ...Array.from({ length: 20_000 }, () => first), header, ' 1;'];
      const told = readLog(Buffer.from(`${log.join('\n')}\n`));
      expect(told.rejected).toHaveLength(1);
      expect(told.rejected[0]).toMatch(/^4 too-long$/);
    },
  );
});

describe('exports of warehouses', () => {
  it('Snowflake as CSV: statements over lines, failures, a broken line, hidden text', () => {
    const told = readFixture('snowflake-history.csv');
    expect(told.detected).toEqual({ format: 'snowflake', container: 'csv' });
    expect(brief(told)).toEqual([
      `2 | ANNA | 2024-05-07 | 1 | SALES | SELECT c.city, COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.status = 'say "paid"' GROUP BY c.city`,
      '6 | BEN | 2024-05-06 | 1 failed | SALES | SELECT * FROM orders WHERE',
      '8 | BEN | 2024-05-06 | 1 | SALES | SELECT id FROM orders',
    ]);
    expect(told.rejected).toEqual(['9 hidden-text', '10 not-csv', '11 no-time']);
    expect(told.skipped).toBe(1);
  });

  it('Snowflake as a JSON array over lines', () => {
    const told = readFixture('snowflake-history.json');
    expect(told.detected).toEqual({ format: 'snowflake', container: 'json-array' });
    expect(brief(told)).toEqual([
      '2 | ANNA | 2024-05-06 | 1 | SALES | SELECT city FROM customers',
      `11 | ANNA | 2024-05-07 | 1 | SALES | SELECT city FROM customers WHERE city = '}{"'`,
    ]);
    expect(told.rejected).toEqual(['20 missing-field']);
  });

  it('BigQuery as a JSON array in one line', () => {
    const told = readFixture('bigquery-jobs.json');
    expect(told.detected).toEqual({ format: 'bigquery', container: 'json-array' });
    expect(told.entries.map(({ user, day, isSuccess, id }) => [user, day, isSuccess, id])).toEqual([
      ['anna@example.com', '2024-05-06', true, 'bigquery shop-1 bquxjob_1'],
      ['ben@example.com', '2024-05-06', false, 'bigquery shop-1 bquxjob_2'],
      ['anna@example.com', '2024-05-06', true, 'bigquery shop-1 bquxjob_1'],
    ]);
    expect(told.entries[0]?.inputs).toEqual([{ path: ['shop-1', 'sales', 'orders'], columns: [] }]);
    expect(told.skipped).toBe(1);
  });

  it('Trino, events of a listener: what the engine read', () => {
    const told = readFixture('trino-events.jsonl');
    expect(told.detected).toEqual({ format: 'trino-events', container: 'json' });
    expect(brief(told)).toEqual([
      '2 | anna | 2024-05-06 | 1 | sales | SELECT city FROM customers',
      '3 | ben | 2024-05-06 | 1 | sales | SELECT total FROM order_totals',
      '4 | ben | 2024-05-06 | 1 failed | sales | SELECT nope FROM orders',
    ]);
    expect(told.entries[0]?.inputs).toEqual([{ path: ['hive', 'sales', 'customers'], columns: ['city'] }]);
    expect(told.entries[1]?.inputs).toEqual([{ path: ['hive', 'sales', 'orders'], columns: ['amount'] }]);
    expect(told.skipped).toBe(2);
  });

  it('Trino, rows of its MySQL event listener as Trino 476 wrote them: no time but that of the id', () => {
    const told = readFixture('trino-listener-mysql.jsonl');
    expect(told.detected).toEqual({ format: 'trino-queries', container: 'json' });
    expect(brief(told)).toEqual([
      '1 | anna | 2026-11-25 | 1 | tiny | SELECT name FROM customer WHERE acctbal > 9000',
      '2 | ben | 2026-11-25 | 1 | tiny | SELECT count(*) FROM orders o JOIN customer c ON o.custkey = c.custkey',
      '3 | ben | 2026-11-25 | 1 failed | tiny | SELECT nope FROM orders',
      '4 | ben | 2026-11-25 | 1 | tiny | EXPLAIN SELECT 1',
    ]);
    expect(told.entries[1]?.inputs).toEqual([
      { path: ['tpch', 'tiny', 'orders'], columns: ['custkey'] },
      { path: ['tpch', 'tiny', 'customer'], columns: ['custkey'] },
    ]);
  });

  it('Trino, events in the cover of its Kafka event listener', () => {
    const told = readFixture('trino-listener-kafka.jsonl');
    expect(told.detected).toEqual({ format: 'trino-events', container: 'json' });
    expect(told.skipped).toBe(4);
    expect(told.entries.map(({ user, isSuccess }) => [user, isSuccess])).toEqual([
      ['anna', true],
      ['ben', false],
      ['ben', true],
      ['ben', true],
    ]);
    expect(told.entries[0]?.inputs).toEqual([
      { path: ['tpch', 'tiny', 'customer'], columns: ['acctbal', 'name'] },
    ]);
  });

  it('Trino, runtime queries', () => {
    const told = readFixture('trino-queries.csv');
    expect(told.detected).toEqual({ format: 'trino-queries', container: 'csv' });
    expect(told.entries.map(({ user, isSuccess }) => [user, isSuccess])).toEqual([
      ['anna', true],
      ['ben', false],
    ]);
  });
});

describe('plain JSON lines', () => {
  it.each([
    ['{"sql": "SELECT 1"}', { user: 'unknown', runs: 1, isSuccess: true }],
    [
      '{"sql": "SELECT 1", "user": "a", "at": 1714989600, "runs": 3, "success": false}',
      { user: 'a', day: '2024-05-06', runs: 3, isSuccess: false },
    ],
    [
      '{"SQL": "SELECT 1", "at": "2024-05-06T23:30:00-07:00", "file": "q.sql"}',
      { day: '2024-05-07', name: 'q.sql' },
    ],
  ])('%s', (line, entry) => {
    expect(readLog(Buffer.from(`\uFEFF${line}\r\n`)).entries).toMatchObject([{ sql: 'SELECT 1', ...entry }]);
  });

  it('rejects by reason', () => {
    const lines = [
      '{"sql": "SELECT 1"}',
      '{"sql": 1',
      '{"query": "SELECT 1"}',
      '{"sql": "SELECT 1", "at": "noon"}',
      '{"sql": "SELECT 1", "runs": -5}',
      '[1, 2]',
      `{"sql": "${'x'.repeat(5_000_000)}"}`,
    ];
    const bytes = Buffer.concat([Buffer.from(lines.join('\n')), Buffer.from([0x0a, 0xff, 0xfe, 0x0a])]);
    expect(readLog(bytes).rejected).toEqual([
      '2 not-json',
      '3 missing-field',
      '4 no-time',
      '5 missing-field',
      '6 not-json',
      '7 too-long',
      '8 not-json',
    ]);
  });
});

describe('detectFormat', () => {
  it.each(['', 'hello', 'a,b,c\n1,2,3', '{"a": 1}', '[1, 2]', '<xml/>', '\0\0', '{', '['])(
    'knows nothing of %j',
    (text) => {
      expect(detectFormat(text)).toBeUndefined();
    },
  );

  it('looks past broken first lines', () => {
    expect(detectFormat('rest of a line"}\n{"sql": "SELECT 1"}\n')?.format).toBe('json');
  });
});
