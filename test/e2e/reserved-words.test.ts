/** Every word that is special somewhere can be a name in SQL of ours, on the real engines. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { connect } from '../../src/database/index.ts';
import { RESERVED_WORDS } from '../../src/sql/dialects/dialects.ts';
import { DIALECTS, writeName } from '../../src/sql/dialects/index.ts';
import { describeWithServer, mariadbServer, postgresServer } from '../servers/server-of-run.ts';

const LIMITS = { rows: 1, bytes: 1000, timeoutMs: 20_000 };
const folder = mkdtempSync(join(tmpdir(), 'candor-words-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All that is special in one of the dialects; new words of an engine show as failures of that engine. */
const WORDS = [...new Set(Object.values(RESERVED_WORDS).flatMap((words) => [...words]))].sort();

/** The words that cannot be a CTE, its column and an alias; `[]` when quoting knows the engine. */
async function refusedWords(url: string): Promise<string[]> {
  const database = await connect(url);
  const dialect = DIALECTS[database.dialect];
  const refused: string[] = [];
  for (const word of WORDS) {
    const name = writeName(word, dialect.name);
    const sql = `WITH ${name} AS (SELECT 1 AS ${name}) SELECT ${name}.${name} AS ${name} FROM ${name}`;
    await database.query(sql, LIMITS).catch((error: Error) => refused.push(`${word}: ${error.message}`));
  }
  await database.close();
  return refused;
}

describe('names that are words of SQL', () => {
  it('work in SQLite', async () => {
    new DatabaseSync(join(folder, 'words.db')).exec('CREATE TABLE t (a)');
    // SQLite itself cannot qualify a column that is called so, whatever the quotes.
    const refused = await refusedWords(`sqlite:${join(folder, 'words.db')}`);
    expect(refused.map((text) => text.split(':', 1)[0])).toEqual(['false', 'true']);
  });
  it('work in DuckDB', async () => {
    const instance = await DuckDBInstance.create(join(folder, 'words.duckdb'));
    instance.closeSync();
    expect(await refusedWords(`duckdb:${join(folder, 'words.duckdb')}`)).toEqual([]);
  });
});

describeWithServer('postgres', 'names that are words of SQL, on PostgreSQL', () => {
  it('work', async () => expect(await refusedWords((await postgresServer()).url)).toEqual([]));
});

describeWithServer('mariadb', 'names that are words of SQL, on MariaDB', () => {
  it('work', async () => {
    const database = await (await mariadbServer()).createDatabase('words');
    expect(await refusedWords(database.url)).toEqual([]);
    await database.drop();
  });
});
