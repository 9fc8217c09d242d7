import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { literal, PRINTED_QUERIES, select } from '../../../test/fixtures/grounded/printed-queries.ts';
import { smallStatements } from '../../../test/fixtures/grounded/small-tables.ts';
import { connect, type Database } from '../../database/index.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/dialects.ts';
import { lexSql, significantTokens } from '../dialects/lex-sql.ts';
import { writeName } from '../dialects/quoting.ts';
import { checkReadOnly } from '../guard/check-read-only.ts';
import { parse } from '../parser/parse.ts';
import { printQuery } from './print-query.ts';
import type { Expression, Query } from './query.ts';

const ENGINES: readonly DialectName[] = ['sqlite', 'duckdb'];
const LIMITS = { rows: 1000, bytes: 1_000_000, timeoutMs: 20_000 };
/** Names that need quotes, and names that would be SQL if the quotes were wrong. */
const ODD_NAMES = [
  'select',
  'From',
  'two words',
  'a.b',
  'semi;colon',
  "it's",
  'double"quote',
  '"; DROP TABLE singers; --',
  'back`tick',
  '[bracket]',
  '1st',
  'über',
  '名前',
  'new\nline',
  '-- comment',
  '/* open',
  '%',
];

let folder: string;
const databases = new Map<DialectName, Database>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-print-'));
  const statements = (dialect: DialectName): string[] => {
    const odd = ODD_NAMES.map((name) => `${writeName(name, dialect)} VARCHAR`).join(', ');
    const table = writeName('the "odd" table', dialect);
    const cells = ODD_NAMES.map((_name, index) => `'cell ${index}'`).join(', ');
    return [...smallStatements(), `CREATE TABLE ${table} (${odd})`, `INSERT INTO ${table} VALUES (${cells})`];
  };
  const sqlite = new DatabaseSync(join(folder, 'small.db'));
  for (const statement of statements('sqlite')) sqlite.exec(statement);
  sqlite.close();
  const instance = await DuckDBInstance.create(join(folder, 'small.duckdb'));
  const connection = await instance.connect();
  for (const statement of statements('duckdb')) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
  databases.set('sqlite', await connect(`sqlite:${join(folder, 'small.db')}`));
  databases.set('duckdb', await connect(`duckdb:${join(folder, 'small.duckdb')}`));
});
afterAll(async () => {
  for (const database of databases.values()) await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function rowsOf(query: Query, dialect: DialectName): Promise<string[][]> {
  const database = databases.get(dialect);
  if (database === undefined) throw new Error(`no ${dialect}`);
  const { rows } = await database.query(printQuery(query, DIALECTS[dialect]).sql, LIMITS);
  return rows.map((row) => row.map((cell) => String(cell)));
}

describe.each(ENGINES)('printQuery for %s', (dialect) => {
  it.each(PRINTED_QUERIES)('prints %s, and the engine gives its rows', async (_name, query, rows) => {
    expect(await rowsOf(query, dialect)).toEqual(rows.map((row) => [...row]));
  });

  it.each(PRINTED_QUERIES)(
    'prints %s that our parser reads as one reading statement',
    async (_name, query) => {
      const { sql } = printQuery(query, DIALECTS[dialect]);
      const parsed = parse(sql, dialect);
      if (!parsed.ok) throw new Error(`${parsed.error.message}: ${sql}`);
      expect(checkReadOnly(parsed.tree), sql).toEqual({ readOnly: true });
    },
  );

  it.each(PRINTED_QUERIES)('says where the parts of %s stand', (_name, query) => {
    const { sql, parts } = printQuery(query, DIALECTS[dialect]);
    // A template may print its operand twice; no cause may get lost.
    expect(new Set(parts.map((part) => part.cause)).size).toBe(causesIn(query));
    for (const { span, text } of parts) {
      expect(text).not.toBe('');
      expect(sql.slice(span.start, span.end)).toBe(text);
    }
  });

  it('reads every odd name back from the engine', async () => {
    const query = select(
      'the "odd" table',
      ODD_NAMES.map((name) => ({ kind: 'column', table: 'the "odd" table', column: name })),
    );
    expect(await rowsOf(query, dialect)).toEqual([ODD_NAMES.map((_name, index) => `cell ${index}`)]);
  });

  it('keeps names as aliases too', async () => {
    const database = databases.get(dialect);
    const query: Query = {
      ...select('singers', [], { limit: 1 }),
      select: ODD_NAMES.map((alias) => ({ expression: literal(1), alias })),
    };
    const result = await database?.query(printQuery(query, DIALECTS[dialect]).sql, LIMITS);
    expect(result?.columns).toEqual(ODD_NAMES);
  });

  it('gives every text back as it was', async () => {
    const texts = fc.sample(text, { seed: 13, numRuns: 300 });
    const query = select(
      'singers',
      texts.map((value) => literal(value)),
      { limit: 1 },
    );
    expect(await rowsOf(query, dialect)).toEqual([texts]);
  });

  it('never lets a text or a name end early', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (hostile) => {
        const plain = printQuery(hostileQuery('x y'), DIALECTS[dialect]).sql;
        const printed = printQuery(hostileQuery(hostile === '' ? ' ' : `${hostile} `), DIALECTS[dialect]).sql;

        // A pattern with a backslash names its escape character; that is no end of the text.
        const kinds = (sql: string) =>
          significantTokens(lexSql(sql.replaceAll(" ESCAPE '\\'", ''), dialect)).map((token) => token.kind);
        expect(kinds(printed), printed).toEqual(kinds(plain));
      }),
      { seed: 17, numRuns: 1000 },
    );
  });
});

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...`' '' " \\ ; -- /* */ \` [ ] $$ %s {0} \n \t \r \u2019 '; DROP TABLE singers; --`.split(' '),
      ),
      fc.string({ unit: 'grapheme' }),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(' '))
  .filter((value) => !value.includes('\0'));

function hostileQuery(hostile: string): Query {
  const value: Expression = { kind: 'column', table: hostile, column: hostile };
  return {
    ...select(hostile, [value], {
      where: [
        { kind: 'compare', operator: '=', left: value, right: { kind: 'literal', value: hostile } },
        { kind: 'like', value, pattern: hostile, negated: false },
      ],
    }),
    select: [{ expression: value, alias: hostile }],
  };
}

/** Parts of a tree that carry a cause: each must be printed once. */
function causesIn(node: unknown): number {
  if (Array.isArray(node)) return node.reduce((sum: number, item) => sum + causesIn(item), 0);
  if (typeof node !== 'object' || node === null) return 0;
  const own = 'cause' in node && node.cause !== undefined ? 1 : 0;
  return Object.entries(node).reduce(
    (sum, [key, value]) => sum + (key === 'cause' ? 0 : causesIn(value)),
    own,
  );
}

describe.each(Object.keys(DIALECTS) as DialectName[])('printed for %s', (dialect) => {
  it.each(PRINTED_QUERIES)('%s parses and only reads', (_name, query) => {
    const { sql } = printQuery(query, DIALECTS[dialect]);
    const parsed = parse(sql, dialect);
    if (!parsed.ok) throw new Error(`${parsed.error.message}: ${sql}`);
    expect(checkReadOnly(parsed.tree), sql).toEqual({ readOnly: true });
  });

  it('a text stays one text, whatever is in it', () => {
    fc.assert(
      fc.property(text, (value) => {
        const { sql } = printQuery(select('singers', [literal(value)]), DIALECTS[dialect]);
        const parsed = parse(sql, dialect);
        expect(parsed.ok ? parsed.tree.root.children.length : sql).toBe(2);
      }),
      { seed: 13, numRuns: 300 },
    );
  });
});
