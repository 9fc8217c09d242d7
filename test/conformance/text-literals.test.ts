/**
 * The lexer ends a text where the engine ends it, and reads what it says as the engine does: random literals of every
 * kind come back from the engines as we decode them. The servers are set to other rules than ours; the session pins
 * must win. A text that engine and lexer end at different places would be a way past the guard.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database, guarded } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import { significantTokens } from '../../src/sql/dialects/index.ts';
import { lexSql, parse } from '../../src/sql/index.ts';
import { readText } from '../../src/sql/transpile/translation/read-text.ts';
import { describeWithServer } from '../servers/server-of-run.ts';
import { startMariadb } from '../servers/start-mariadb.ts';
import { startPostgres } from '../servers/start-postgres.ts';
import type { StartedServer } from '../servers/started-server.ts';

const OPENINGS = {
  sqlite: ["'"],
  duckdb: ["'", "E'", "e'", "N'", '$$', '$a$', '$b7$'],
  postgres: ["'", "E'", "e'", "N'", '$$', '$a$', '$é$', '$b7$'],
  mysql: ["'", '"', "N'", "n'", "_utf8mb4'"],
} as const;

/** What quotes, escapes and comments are made of. */
const PIECES = [
  ...[
    "'",
    "''",
    '"',
    '""',
    '\\',
    '\\\\',
    "\\'",
    '\\"',
    '$',
    '$$',
    '$a$',
    '$b7$',
    '$é$',
    'a',
    'b',
    ' ',
    '\n',
    '\r\n',
  ],
  ...[
    '\\n',
    '\\t',
    '\\x41',
    '\\x4',
    '\\101',
    '\\8',
    '\\u0041',
    '\\U0001F600',
    '\\v',
    '\\Z',
    '\\%',
    '\\_',
    '\\b',
  ],
  ...['--', '/*', '*/', ';', '#', 'é', '\t', 'u', '7', '`', '\\`', '\r', '||', "' '", "'\n'"],
];

const SAMPLES = 600;
const LIMITS = { rows: 2, bytes: 10_000, timeoutMs: 5_000 };

describe('SQLite', () =>
  readsTexts('sqlite', () =>
    makeFile('sqlite', (path) => new DatabaseSync(path).exec('CREATE TABLE t (a)')),
  ));
describe('DuckDB', () =>
  readsTexts('duckdb', () =>
    makeFile('duckdb', async (path) => {
      const instance = await DuckDBInstance.create(path);
      instance.closeSync();
    }),
  ));
describeWithServer('postgres', 'PostgreSQL', () =>
  readsTexts('postgres', async () =>
    urlOf(await startPostgres({ settings: { standard_conforming_strings: 'off' } })),
  ),
);
describeWithServer('mariadb', 'MariaDB', () =>
  readsTexts('mysql', async () =>
    urlOf(await startMariadb({ settings: { sql_mode: 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES' } })),
  ),
);

interface OpenServer {
  readonly url: string;
  stop(): Promise<void>;
}

async function makeFile(scheme: string, write: (path: string) => unknown): Promise<OpenServer> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-texts-'));
  const path = join(folder, `texts.${scheme}`);
  await write(path);
  return { url: `${scheme}:${path}`, stop: () => rm(folder, { recursive: true, force: true }) };
}

function urlOf(server: StartedServer): OpenServer {
  return { url: server.adminUrl, stop: () => server.stop() };
}

function readsTexts(dialect: keyof typeof OPENINGS, open: () => Promise<OpenServer>): void {
  let server: OpenServer;
  let database: Database;
  beforeAll(async () => {
    server = await open();
    database = guarded(await connect(server.url), { kind: 'own-queries' });
  });
  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  it('says what the engine says', async () => {
    const literals = fc.sample(
      fc
        .tuple(fc.constantFrom(...OPENINGS[dialect]), fc.array(fc.constantFrom(...PIECES), { maxLength: 7 }))
        .map(([opening, pieces]) => `${opening}${pieces.join('')}${closingOf(opening)}`),
      { numRuns: SAMPLES, seed: 29 },
    );
    let read = 0;
    for (const literal of literals) {
      const said = decode(literal, dialect);
      if (said === undefined) continue;
      const found = await database.query(`SELECT ${literal}`, LIMITS).then(
        ({ rows }) => rows,
        (error: unknown) => (error instanceof CandorError ? error.code : error),
      );
      // An escape without a character is an error of the engine; nothing else may be.
      if (found === 'database.query-failed') continue;
      expect([literal, found]).toEqual([literal, [[said]]]);
      read += 1;
    }
    expect(read).toBeGreaterThan(SAMPLES / 2);
  }, 60_000);
}

function closingOf(opening: string): string {
  return opening.startsWith('$') ? opening : opening.slice(-1);
}

/** What our own reading says of a literal that it takes for one whole text. */
function decode(literal: string, dialect: keyof typeof OPENINGS): string | undefined {
  const sql = `SELECT ${literal}`;
  if (significantTokens(lexSql(sql, dialect)).length !== 2) return undefined;
  const parsed = parse(sql, dialect);
  const node = parsed.ok ? parsed.tree.nodes.find(({ type }) => type === 'Literal') : undefined;
  return parsed.ok && node !== undefined ? readText(node, parsed.tree) : undefined;
}
