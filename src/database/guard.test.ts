import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CandorError } from '../errors.ts';
import type { DialectName } from '../sql/dialect.ts';
import { lexSql, significantTokens } from '../sql/index.ts';
import type { Database } from './database.ts';
import { guard, guarded } from './guard.ts';

const DIALECTS: readonly DialectName[] = ['sqlite', 'duckdb'];

function readCases(name: string): readonly string[] {
  const file = new URL(`../../test/fixtures/guard/${name}.txt`, import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replaceAll('⏎', '\n').replaceAll('␀', '\0'));
}

/** The code of the refusal, or `passed`. */
async function verdict(sql: string, dialect: DialectName): Promise<string> {
  try {
    await guard(sql, dialect);
    return 'passed';
  } catch (error) {
    if (!(error instanceof CandorError)) throw error;
    return error.code;
  }
}

describe.each(DIALECTS)('the guard for %s', (dialect) => {
  const attacks = readCases(`attacks-${dialect}`);
  const honest = readCases(`honest-${dialect}`);

  it('has a corpus worth the name', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(80);
    expect(honest.length).toBeGreaterThanOrEqual(60);
  });

  it.each(attacks)('refuses %j', async (sql) => {
    expect(['database.not-read-only', 'sql.parse-failed']).toContain(await verdict(sql, dialect));
  });

  it.each(honest)('lets %j pass', async (sql) => {
    expect(await verdict(sql, dialect)).toBe('passed');
  });

  it.each([...attacks.filter((sql) => /^[A-Z]+ /.test(sql))])('refuses %j in lower case too', async (sql) => {
    expect(await verdict(sql.toLowerCase(), dialect)).not.toBe('passed');
  });
});

it.each(readCases('known-refusals'))('still refuses, though honest: %s', async (line) => {
  const [, dialect, sql] = /^(sqlite|duckdb): (.*)$/s.exec(line) ?? [];
  if ((dialect !== 'sqlite' && dialect !== 'duckdb') || sql === undefined)
    throw new Error(`bad line: ${line}`);
  expect(await verdict(sql, dialect)).not.toBe('passed');
});

describe('a forbidden call in every place of an honest query where a value stands', () => {
  const calls: Readonly<Record<DialectName, string>> = {
    sqlite: "load_extension('x')",
    duckdb: "getenv('x')",
  };

  it.each(DIALECTS)('is found: %s', async (dialect) => {
    const hidden = readCases(`honest-${dialect}`).flatMap((sql) =>
      putEverywhere(sql, dialect, calls[dialect]),
    );
    const passed: string[] = [];
    for (const sql of hidden) if ((await verdict(sql, dialect)) === 'passed') passed.push(sql);
    expect(hidden.length).toBeGreaterThan(100);
    expect(passed).toEqual([]);
  });
});

function putEverywhere(sql: string, dialect: DialectName, call: string): readonly string[] {
  return significantTokens(lexSql(sql, dialect))
    .filter(({ kind, text }) => kind === 'number' || kind === 'text' || (kind === 'word' && text === 'a'))
    .map(({ start, end }) => `${sql.slice(0, start)} ${call} ${sql.slice(end)}`);
}

it('says what is refused and why', async () => {
  await expect(guard("SELECT * FROM read_csv('x')", 'duckdb')).rejects.toThrow(
    'The SQL is refused: the function read_csv reads files or the network.',
  );
  await expect(guard('SELECT a FROM t WHERE', 'sqlite')).rejects.toThrow('line 1, column 22');
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
      query: async (sql) => {
        reached.push(sql);
        return { columns: [], rows: [], truncatedBy: null, ms: 0 };
      },
      explain: async (sql) => {
        reached.push(sql);
      },
      close: async () => {},
    };
    const safe = guarded(database);
    const limits = { rows: 1, bytes: 1, timeoutMs: 1 };
    await expect(safe.query('DROP TABLE t', limits)).rejects.toThrow(CandorError);
    await expect(safe.explain('SELECT 1; DROP TABLE t')).rejects.toThrow(CandorError);
    expect(reached).toEqual([]);
    await safe.query('SELECT 1', limits);
    await safe.explain('SELECT 2');
    expect(reached).toEqual(['SELECT 1', 'SELECT 2']);
  });
});
