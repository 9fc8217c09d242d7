/** Statements of public documentation: well-formed rows, and none refused but those that are known to be. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  judgeStatements,
  type RefusedStatement,
  readDocumentation,
  runStatements,
} from '../../bench/guard/documentation.ts';
import { openEngine } from '../../bench/open-engine.ts';
import { DIALECT_NAMES } from '../../src/sql/dialects/dialects.ts';
import { describeWithServer, mariadbServer, postgresServer } from '../servers/server-of-run.ts';
import type { TestDatabase, TestServer } from '../servers/test-server.ts';

vi.setConfig({ testTimeout: 300_000 });

/** How many of the 300 may be refused. It only falls: whoever mends one takes it off the list and lowers this. */
const CEILING = 6;
const listed = readFileSync(new URL('../fixtures/guard/documentation-refused.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(':')[0] ?? '');

const folder = mkdtempSync(join(tmpdir(), 'candor-documentation-'));
const made: TestDatabase[] = [];
afterAll(async () => {
  await Promise.all(made.map((database) => database.drop()));
  rmSync(folder, { recursive: true, force: true });
});

describe('the statements', () => {
  const statements = DIALECT_NAMES.flatMap((dialect) => readDocumentation(dialect));

  it('are 300 different ones of the seven dialects', () => {
    expect(statements).toHaveLength(300);
    expect(new Set(statements.map(({ id }) => id)).size).toBe(300);
    expect(new Set(statements.map(({ sql }) => sql.replace(/\s+/g, ' ').toLowerCase())).size).toBe(300);
  });

  it.each(DIALECT_NAMES)('of %s are numbered, and all but a few run on the engine', (dialect) => {
    const own = readDocumentation(dialect);
    expect(own.map(({ id }) => id)).toEqual(
      own.map((_, index) => `${dialect}-${String(index + 1).padStart(3, '0')}`),
    );
    expect(own.filter(({ engine }) => engine !== undefined).length).toBeLessThanOrEqual(8);
  });

  it('that are known to be refused are few, named once, and there', () => {
    expect(listed.length).toBeLessThanOrEqual(CEILING);
    expect(new Set(listed).size).toBe(listed.length);
    const known = new Set(statements.map(({ id }) => id));
    expect(listed.filter((id) => !known.has(id))).toEqual([]);
  });
});

describe('refused, and on the list', () => {
  it.each(['trino', 'snowflake', 'bigquery'] as const)('%s', (dialect) => {
    expectListed(judgeStatements(readDocumentation(dialect), dialect), dialect);
  });

  it.each(['sqlite', 'duckdb'] as const)('%s', async (dialect) => {
    const engine = await openEngine(dialect, folder);
    if ('missing' in engine) throw new Error(engine.missing);
    expectListed(await runStatements(readDocumentation(dialect), engine), dialect);
  });

  describeWithServer('postgres', 'PostgreSQL', () => {
    it('postgres', async () => {
      const server = await postgresServer();
      expectListed(await runStatements(readDocumentation('postgres'), engineOn(server)), 'postgres');
    });
  });

  describeWithServer('mariadb', 'MariaDB', () => {
    it('mysql', async () => {
      const server = await mariadbServer();
      expectListed(await runStatements(readDocumentation('mysql'), engineOn(server)), 'mysql');
    });
  });
});

function expectListed(refused: readonly RefusedStatement[], dialect: string): void {
  const own = listed.filter((id) => id.startsWith(`${dialect}-`));
  expect({
    refusedAndNotListed: refused.filter(({ id }) => !own.includes(id)),
    listedAndNotRefused: own.filter((id) => refused.every((statement) => statement.id !== id)),
  }).toEqual({ refusedAndNotListed: [], listedAndNotRefused: [] });
}

function engineOn(server: TestServer) {
  return {
    make: async (name: string, statements: readonly string[]): Promise<string> => {
      const database = await server.createDatabase(name);
      made.push(database);
      for (const statement of statements) await database.run(statement);
      return database.url;
    },
  };
}
