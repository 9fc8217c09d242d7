/** Expressions computed by SQLite and DuckDB: transpiled without a diagnostic, they give the same value. */
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import { transpile } from './transpile.ts';

type Engine = 'sqlite' | 'duckdb';

const sqlite = new DatabaseSync(':memory:');
let runDuckdb: (sql: string) => Promise<unknown>;
let closeDuckdb: () => void;

beforeAll(async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  runDuckdb = async (sql) => (await connection.runAndReadAll(sql)).getRows()[0]?.[0];
  closeDuckdb = () => {
    connection.closeSync();
    instance.closeSync();
  };
});

afterAll(() => {
  closeDuckdb();
  sqlite.close();
});

async function valueIn(engine: Engine, sql: string): Promise<string> {
  if (engine === 'duckdb') return plain(await runDuckdb(sql));
  const statement = sqlite.prepare(sql);
  statement.setReadBigInts(true);
  return plain(Object.values(statement.get() as object)[0]);
}

/** Numbers by value, truth as 1 and 0, midnight as its date. */
function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  const text = String(value);
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(Number(text).toPrecision(9)).toString();
  return text.replace(/ 00:00:00$/, '');
}

function expressionsOf(engine: Engine): readonly string[] {
  const file = new URL(`../../../test/fixtures/sql/values-${engine}.txt`, import.meta.url);
  return readFileSync(file, 'utf8').trim().split('\n');
}

const DIRECTIONS: readonly (readonly [from: Engine, to: Engine])[] = [
  ['sqlite', 'duckdb'],
  ['duckdb', 'sqlite'],
];

describe.each(DIRECTIONS)('%s > %s', (from, to) => {
  it.each(expressionsOf(from))('%s', async (expression) => {
    const { sql, diagnostics } = translated(`SELECT ${expression}`, from, to);
    expect(diagnostics).toEqual([]);
    expect(await valueIn(to, sql)).toBe(await valueIn(from, `SELECT ${expression}`));
  });
});

function translated(sql: string, from: DialectName, to: DialectName): ReturnType<typeof transpile> {
  const parsed = parse(sql, from);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return transpile(parsed.tree, to);
}
