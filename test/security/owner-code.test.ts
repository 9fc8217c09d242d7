/**
 * Code that the owner of a database put behind names of the engine, on real engines: without the guard each statement
 * of the corpus runs it, behind the guard none reaches it, and what names none of it passes as before.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { outlineCatalog } from '../../src/catalog/index.ts';
import type { VisibleCatalog } from '../../src/database/guard/access-policy.ts';
import { connect, type Database, guarded } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import { findOwnCode } from '../../src/sql/guard/index.ts';
import { parse } from '../../src/sql/index.ts';
import { describeWithServer, mariadbServer, postgresServer } from '../servers/server-of-run.ts';
import {
  type OwnerDialect,
  type OwnerWorld,
  openOwnerDatabase,
  openOwnerFile,
  readOwnerAttacks,
} from './owner-world.ts';
import { readCorpus } from './run-attacks.ts';

const LIMITS = { rows: 100, bytes: 100_000, timeoutMs: 20_000 };
const CANARY = 'canary-4711';
/** What stands in a corpus may have a second reason to be refused, as a type that no list has. */
const REFUSED = /^(?:database\.(?:own-code|not-read-only|not-visible)|sql\.parse-failed)$/;

type Open = (setting: string) => Promise<OwnerWorld>;

describe('DuckDB', () => {
  const open: Open = openOwnerFile;
  holds('duckdb', open);
  refusesAll('duckdb-reading', open);

  it('asks the file past macros over its own tables', async () => {
    const world = await open('duckdb-reading');
    const engine = await connect(world.url);
    try {
      expect(await outcomeOf(engine, 'SELECT id + 1 FROM t')).toEqual({ code: 'rows', text: '2\n3' });
      expect(await world.run('SELECT id + 1 FROM t')).toContain(CANARY);
      const { tables, home } = await engine.readSchema();
      expect(tables.map(({ name, kind }) => `${kind} ${name}`)).toEqual(['table t', 'view v']);
      expect(home).toEqual({ catalog: 'shop', schema: 'main' });
    } finally {
      await engine.close();
      await world.close();
    }
  });

  allows('duckdb', open, { functions: ['upper'] }, 'SELECT upper(a) FROM t');

  it('runs the engine’s own functions where nothing names them', async () => {
    const world = await open('duckdb');
    const engine = await connect(world.url);
    try {
      for (const { kind, sql, isSeen } of readOwnerAttacks('duckdb-pinned')) {
        const [plain, pinned] = [await world.run(sql), await outcomeOf(engine, sql)];
        expect([kind, sql, pinned.code]).toEqual([kind, sql, 'rows']);
        expect(pinned.text).not.toContain(CANARY);
        // Else the path would prove nothing.
        if (isSeen) expect([sql, plain]).toEqual([sql, expect.stringContaining(CANARY)]);
      }
    } finally {
      await engine.close();
      await world.close();
    }
  });
});

describeWithServer('postgres', 'PostgreSQL', () => {
  const open: Open = async (setting) => openOwnerDatabase(await postgresServer(), setting);
  holds('postgres', open);
  refusesAll('postgres-silent', open);

  it('has nothing against a domain whose check only computes', async () => {
    const server = await postgresServer();
    const database = await server.createDatabase('checks');
    await database.run(`
      CREATE DOMAIN year AS integer CHECK (VALUE >= 1901 AND VALUE <= 2155);
      CREATE DOMAIN mail AS text CHECK (VALUE ~ '^[^@]+@[^@]+$' AND lower(VALUE) = VALUE AND VALUE <> ALL (ARRAY['a@b']));
      CREATE DOMAIN past AS date CHECK (VALUE < now());
      CREATE TABLE films (made year, makers mail[]);
      INSERT INTO films VALUES (1950, '{x@y}')`);
    const engine = await connect(database.url);
    try {
      const names = (await engine.readOwnCode()).map(({ name }) => name.replace(/^public\.|^_/g, ''));
      expect(new Set(names)).toEqual(new Set(['past', '_past']));
      const reader = guarded(engine, { kind: 'caller-queries', catalog: await outlineCatalog(engine) });
      const sql = "SELECT made + 1 FROM films WHERE makers = '{x@y}'";
      expect(await outcomeOf(reader, sql)).toEqual({ code: 'rows', text: '1951' });
    } finally {
      await engine.close();
      await database.drop();
    }
  });

  allows('postgres', open, { functions: ['unaccent'], operators: ['||'] }, "SELECT unaccent('x'), 1 || 2");
  hearsOf('postgres', open, {
    sql: "SELECT initcap('a')",
    made: "CREATE FUNCTION initcap(integer) RETURNS text LANGUAGE sql AS 'SELECT 1::text'",
  });

  it.each([
    ['a path of the role that has the engine last', 'app, public, pg_catalog'],
    ['a path without the engine', 'app, "$user", public'],
    ['a path in quotes', '"app", "PG_CATALOG", "pg_catalog", public'],
    ['a path with the temporary schema first', 'pg_temp, app, public, pg_catalog'],
  ])('puts the engine first on %s', async (_, path) => {
    const server = await postgresServer();
    const database = await server.createDatabase('path');
    await database.run(`
      CREATE SCHEMA app; GRANT USAGE ON SCHEMA app TO PUBLIC;
      CREATE FUNCTION app.lower(text) RETURNS text LANGUAGE sql AS $$SELECT '${CANARY}'$$;
      CREATE DOMAIN app.date AS text DEFAULT '${CANARY}';
      ALTER DATABASE "${database.name}" SET search_path = ${path}`);
    const engine = await connect(database.url);
    try {
      const { rows } = await engine.query("SELECT lower('A'), '2024-01-01'::date + 1", LIMITS);
      expect(rows).toEqual([['a', '2024-01-02']]);
      const [[shown] = []] = (await engine.query('SHOW search_path', LIMITS)).rows;
      expect(String(shown)).toMatch(/^pg_catalog, .*, pg_temp$/);
    } finally {
      await engine.close();
      await database.drop();
    }
  });
});

describeWithServer('mariadb', 'MariaDB', () => {
  const open: Open = async (setting) => openOwnerDatabase(await mariadbServer(), setting);
  holds('mysql', open);
  allows('mysql', open, { functions: ['Is_Uuid'] }, "SELECT is_uuid('x')");
  hearsOf('mysql', open, {
    sql: 'SELECT COUNT(1)',
    made: 'CREATE FUNCTION `count`(a TEXT) RETURNS TEXT RETURN 1',
  });
});

function holds(dialect: OwnerDialect, open: Open): void {
  refusesAll(dialect, open);

  it('has nothing against honest statements beside code of other names', async () => {
    const others = await open(`${dialect}-others`);
    const database = await connect(others.url);
    try {
      const own = await database.readOwnCode();
      const stopped = readCorpus(`honest-${dialect}`).flatMap((sql) => {
        const parsed = parse(sql, dialect);
        const use = parsed.ok ? findOwnCode(parsed.tree, own) : undefined;
        return use === undefined ? [] : [`${sql}: ${use.thing.kind} ${use.thing.name}`];
      });
      expect(stopped).toEqual([]);
      expect(own).toContainEqual({ kind: 'function', name: 'net_price' });
    } finally {
      await database.close();
      await others.close();
    }
  });
}

/** `setting` names a script and the statements against it. */
function refusesAll(setting: string, open: Open): void {
  const attacks = readOwnerAttacks(setting);
  let world: OwnerWorld;
  let engine: Database;
  let catalog: VisibleCatalog;
  beforeAll(async () => {
    world = await open(setting);
    engine = await connect(world.url);
    catalog = await outlineCatalog(engine);
  });
  afterAll(async () => {
    await engine.close();
    await world.close();
  });

  it(`refuses every statement of ${setting}, and shows nothing`, async () => {
    const reader = guarded(engine, { kind: 'caller-queries', catalog });
    for (const { sql } of attacks) {
      const { code, text } = await outcomeOf(reader, sql);
      expect([sql, code]).toEqual([sql, expect.stringMatching(REFUSED)]);
      expect(text).not.toContain(CANARY);
    }
  });

  it(`would run what is refused of ${setting}`, async () => {
    const harmless: string[] = [];
    for (const { kind, sql, isSeen } of attacks) {
      if (isSeen && !(await world.run(sql)).includes(CANARY)) harmless.push(`${kind}: ${sql}`);
    }
    expect(harmless).toEqual([]);
  });
}

function allows(
  dialect: OwnerDialect,
  open: Open,
  allowedCode: { readonly functions: readonly string[]; readonly operators?: readonly string[] },
  sql: string,
): void {
  it('lets pass what the project allows by name, and nothing else', async () => {
    const world = await open(dialect);
    const engine = await connect(world.url);
    try {
      const own = guarded(engine, { kind: 'own-queries', allowedCode });
      expect(await outcomeOf(own, sql)).toMatchObject({ code: 'rows' });
      const found = await outcomeOf(guarded(engine, { kind: 'own-queries' }), sql);
      const [name = ''] = allowedCode.functions;
      expect(found.code).toBe('database.own-code');
      expect(found.text).toContain(`the function ${name.toLowerCase()} `);
      expect(found.text).toContain(`guard.allow.functions: ["${name.toLowerCase()}"]`);
    } finally {
      await engine.close();
      await world.close();
    }
  });
}

function hearsOf(
  dialect: OwnerDialect,
  open: Open,
  { sql, made }: { readonly sql: string; readonly made: string },
): void {
  it('hears of a function that is made while the database is open', async () => {
    const world = await open(`${dialect}-others`);
    const engine = await connect(world.url);
    const now = vi.spyOn(performance, 'now');
    try {
      const database = guarded(engine, { kind: 'own-queries' });
      expect((await outcomeOf(database, sql)).code).not.toBe('database.own-code');
      await world.runAsOwner(made);
      const later = performance.now() + 11_000;
      now.mockImplementation(() => later);
      expect((await outcomeOf(database, sql)).code).toBe('database.own-code');
    } finally {
      now.mockRestore();
      await engine.close();
      await world.close();
    }
  });
}

async function outcomeOf(
  database: Database,
  sql: string,
): Promise<{ readonly code: string; readonly text: string }> {
  try {
    const { rows } = await database.query(sql, LIMITS);
    return { code: 'rows', text: rows.flat().map(String).join('\n') };
  } catch (error) {
    if (!(error instanceof CandorError)) throw error;
    return { code: error.code, text: error.message };
  }
}
