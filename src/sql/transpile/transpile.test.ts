import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { parse } from '../parser/parse.ts';
import type { SqlTree } from '../tree/node.ts';
import type { TranspileOptions } from './translation/translation.ts';
import { transpile } from './transpile.ts';

interface Pair {
  readonly from: DialectName;
  readonly to: DialectName;
  readonly sql: string;
  /** Absent where something is unsupported, so that no text is right. */
  readonly expected?: string;
  /** Kind and rule of each, without repeats. */
  readonly diagnostics?: readonly string[];
}

const FILE = new URL('../../../test/fixtures/sql/transpile.jsonl', import.meta.url);
const PAIRS = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Pair);

function treeOf(sql: string, dialect: DialectName): SqlTree {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) throw new Error(`${parsed.error.message}\n${sql}`);
  return parsed.tree;
}

it.each(PAIRS)('$from > $to: $sql', ({ from, to, sql, expected, diagnostics: wanted = [] }) => {
  const tree = treeOf(sql, from);
  const { sql: given, diagnostics } = transpile(tree, to);
  expect([...new Set(diagnostics.map(({ kind, rule }) => `${kind} ${rule}`))]).toEqual(wanted);
  if (expected !== undefined) {
    expect(given).toBe(expected);
    expect(parse(given, to).ok).toBe(true);
  }
  for (const { node, span } of diagnostics) {
    expect(tree.nodes).toContain(node);
    expect(span).toEqual({ start: node.start, end: node.end });
  }
});

it('leaves a statement of the same dialect as it is', () => {
  expect(transpile(treeOf('select a || b from t limit 5', 'sqlite'), 'sqlite')).toEqual({
    sql: 'SELECT a || b FROM t LIMIT 5',
    diagnostics: [],
  });
});

/** What a catalog may know: columns that begin with `text`, `int`, `real`, `date`; no other names are columns. */
const CATALOG: TranspileOptions = {
  kindOf: (column) => {
    const name = column.children.at(-1)?.value ?? '';
    if (name.startsWith('text')) return 'text';
    if (name.startsWith('int')) return 'integer';
    if (name.startsWith('real')) return 'real';
    return name.startsWith('date') ? 'date' : undefined;
  },
  isText: (column) => !/^(?:text|int|real|date)/.test(column.children.at(-1)?.value ?? ''),
};

const KNOWN: readonly (readonly [to: DialectName, sql: string, expected: string])[] = [
  ['duckdb', 'SELECT int_a / int_b FROM t', 'SELECT int_a // NULLIF(int_b, 0) FROM t'],
  ['duckdb', 'SELECT real_a / int_b FROM t', 'SELECT real_a / NULLIF(int_b, 0) FROM t'],
  ['postgres', 'SELECT int_a / int_b FROM t', 'SELECT int_a / NULLIF(int_b, 0) FROM t'],
  ['duckdb', 'SELECT CAST(int_a AS INTEGER) FROM t', 'SELECT CAST(int_a AS BIGINT) FROM t'],
  ['duckdb', 'SELECT CAST(real_a AS INTEGER) FROM t', 'SELECT CAST(TRUNC(real_a) AS BIGINT) FROM t'],
  ['duckdb', "SELECT STRFTIME('%Y', date_a) FROM t", "SELECT STRFTIME(date_a, '%Y') FROM t"],
  ['duckdb', 'SELECT int_a FROM t WHERE text_a = "x"', "SELECT int_a FROM t WHERE text_a = 'x'"],
  ['duckdb', 'SELECT int_a FROM t WHERE text_a > 5', "SELECT int_a FROM t WHERE text_a > '5'"],
  [
    'postgres',
    'SELECT 1 FROM t JOIN u ON text_a = int_b',
    'SELECT 1 FROM t JOIN u ON CAST(text_a AS DOUBLE PRECISION) = int_b',
  ],
  [
    'postgres',
    'SELECT ROUND(int_a, 1), ROUND(real_a, 1) FROM t',
    'SELECT ROUND(int_a, 1), ROUND(CAST(real_a AS NUMERIC), 1) FROM t',
  ],
  ['trino', "SELECT int_a || 'x' FROM t", "SELECT CAST(int_a AS VARCHAR) || 'x' FROM t"],
];

describe('with what a catalog knows', () => {
  it.each(KNOWN)('%s: %s', (to, sql, expected) => {
    expect(transpile(treeOf(sql, 'sqlite'), to, CATALOG)).toEqual({ sql: expected, diagnostics: [] });
  });
});

const LONG: readonly (readonly [what: string, sql: string])[] = [
  ['a sum', `SELECT ${Array(900).fill('a').join(' + ')}`],
  ['alternatives', `SELECT 1 FROM t WHERE ${Array(900).fill('a = 1').join(' OR ')}`],
  ['texts', `SELECT ${Array(900).fill('a').join(' || ')}`],
  ['unions', Array(900).fill('SELECT a FROM t').join(' UNION ALL ')],
];

it.each(LONG)('takes %s of 900 parts', (_, sql) => {
  for (const to of ['duckdb', 'mysql', 'bigquery'] as const) {
    expect(transpile(treeOf(sql, 'sqlite'), to).diagnostics).toEqual([]);
  }
});
