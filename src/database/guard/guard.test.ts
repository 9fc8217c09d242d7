import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CandorError } from '../../errors.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { significantTokens } from '../../sql/dialects/index.ts';
import { lexSql } from '../../sql/index.ts';
import type { Database } from '../interface/database.ts';
import { guard, guarded } from './guard.ts';

/** A call no dialect may make, hidden in honest queries below. */
const FORBIDDEN: Readonly<Record<DialectName, string>> = {
  sqlite: "load_extension('x')",
  duckdb: "getenv('x')",
  postgres: "pg_read_file('x')",
  mysql: "load_file('x')",
  trino: "no_such_function('x')",
  snowflake: 'SYSTEM$WAIT(1)',
  bigquery: 'SESSION_USER()',
};
const DIALECTS = Object.keys(FORBIDDEN) as DialectName[];

function readCases(name: string): readonly string[] {
  const file = new URL(`../../../test/fixtures/guard/${name}.txt`, import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replaceAll('⏎', '\n').replaceAll('␍', '\r').replaceAll('␀', '\0'));
}

/** The code of the refusal, or `passed`. */
function verdict(sql: string, dialect: DialectName): string {
  try {
    guard(sql, dialect);
    return 'passed';
  } catch (error) {
    if (!(error instanceof CandorError)) throw error;
    return error.code;
  }
}

describe.each(DIALECTS)('the guard for %s', (dialect) => {
  const attacks = ['attacks', 'disguised', 'probes'].flatMap((corpus) => readCases(`${corpus}-${dialect}`));
  const honest = readCases(`honest-${dialect}`);

  it('has a corpus worth the name', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(40);
    expect(honest.length).toBeGreaterThanOrEqual(40);
  });

  it.each(attacks)('refuses %j', (sql) => {
    expect(['database.not-read-only', 'sql.parse-failed']).toContain(verdict(sql, dialect));
  });

  it.each(honest)('lets %j pass', (sql) => {
    expect(verdict(sql, dialect)).toBe('passed');
  });

  // `"UPPER"` is another name in lower case.
  it.each(attacks.filter((sql) => /^[A-Z]+ /.test(sql) && !/"[A-Z]/.test(sql)))(
    'refuses %j in lower case too',
    (sql) => {
      expect(verdict(sql.toLowerCase(), dialect)).not.toBe('passed');
    },
  );
});

it.each(readCases('known-refusals'))('still refuses, though honest: %s', (line) => {
  const [, dialect, sql] = /^(\w+): (.*)$/s.exec(line) ?? [];
  if (sql === undefined || !DIALECTS.includes(dialect as DialectName)) throw new Error(`bad line: ${line}`);
  expect(verdict(sql, dialect as DialectName)).not.toBe('passed');
});

describe('a forbidden call in every place of an honest query where a value stands', () => {
  it.each(DIALECTS)('is found: %s', (dialect) => {
    const hidden = readCases(`honest-${dialect}`).flatMap((sql) =>
      putEverywhere(sql, dialect, FORBIDDEN[dialect]),
    );
    const passed: string[] = [];
    for (const sql of hidden) if (verdict(sql, dialect) === 'passed') passed.push(sql);
    expect(hidden.length).toBeGreaterThan(100);
    expect(passed).toEqual([]);
  });
});

function putEverywhere(sql: string, dialect: DialectName, call: string): readonly string[] {
  return significantTokens(lexSql(sql, dialect))
    .filter(({ kind, text }) => kind === 'number' || kind === 'text' || (kind === 'word' && text === 'a'))
    .map(({ start, end }) => `${sql.slice(0, start)} ${call} ${sql.slice(end)}`);
}

it('says what is refused and why', () => {
  expect(() => guard("SELECT * FROM read_csv('x')", 'duckdb')).toThrow(
    'The SQL is refused: the function read_csv reads files or the network.',
  );
  expect(() => guard('SELECT a FROM t WHERE', 'sqlite')).toThrow('line 1, column 22');
});

describe('guarded', () => {
  it('lets nothing reach the engine that the guard refuses, neither to run nor to plan', async () => {
    const reached: string[] = [];
    const database: Database = {
      dialect: 'sqlite',
      name: 'recorder',
      url: 'sqlite:recorder.db',
      stamp: async () => 'stamp',
      readSchema: async () => ({ tables: [], foreignKeys: [] }),
      readOwnCode: async () => [],
      query: async (sql) => {
        reached.push(sql);
        return { columns: [], rows: [], truncatedBy: null, ms: 0 };
      },
      explain: async (sql) => {
        reached.push(sql);
        return {};
      },
      describe: async () => ({ product: 'recorder', readOnlyBy: 'nothing', excessRights: [] }),
      close: async () => {},
    };
    const safe = guarded(database, { kind: 'own-queries' });
    const limits = { rows: 1, bytes: 1, timeoutMs: 1 };
    await expect(safe.query('DROP TABLE t', limits)).rejects.toThrow(CandorError);
    await expect(safe.explain('SELECT 1; DROP TABLE t')).rejects.toThrow(CandorError);
    expect(reached).toEqual([]);
    await safe.query('SELECT 1', limits);
    await safe.explain('SELECT 2');
    expect(reached).toEqual(['SELECT 1', 'SELECT 2']);
  });
});
