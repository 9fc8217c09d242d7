import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialect.ts';
import { DIALECT_NAMES } from '../dialects/dialects.ts';
import { lexSql } from '../dialects/lex-sql.ts';
import { parse } from '../parser/parse.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';
import { NODE_SHAPES } from '../tree/node-types.ts';
import { unprintedWords } from './own-words.ts';
import { contextOf, nodesOf, partsOf, printNode, printTree } from './print-tree.ts';
import type { PrintableNode } from './printable.ts';

/** Queries in the form they are printed in, one a line: those all dialects share, then the dialect's own. */
function queriesOf(dialect: DialectName): readonly string[] {
  return ['all', dialect].flatMap((name) => {
    const file = new URL(`../../../test/fixtures/sql/identity-${name}.sql`, import.meta.url);
    return readFileSync(file, 'utf8').trim().split('\n');
  });
}

function treeOf(sql: string, dialect: DialectName): SqlTree {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) throw new Error(`${parsed.error.message}\n${sql}`);
  return parsed.tree;
}

/** Types, roles, values and flags; quotes of names apart, which a printer may choose. */
function shapeOf(node: SqlNode): unknown {
  const { quoted, ...flags } = node.flags;
  return [node.type, node.role, node.value, flags, node.children.map(shapeOf)];
}

describe.each(DIALECT_NAMES)('%s', (dialect) => {
  const queries = queriesOf(dialect);

  it('has enough queries', () => expect(queries.length).toBeGreaterThanOrEqual(60));

  it.each(queries)('%s', (sql) => {
    const tree = treeOf(sql, dialect);
    expect(printTree(tree)).toBe(sql);
    // Comments and line breaks are no part of the tree.
    expect(printTree(treeOf(scattered(sql, dialect), dialect))).toBe(sql);
    const lines = printTree(tree, { layout: 'lines' });
    expect(shapeOf(treeOf(lines, dialect).root)).toEqual(shapeOf(tree.root));
    if (!isFromNodes(tree) || hasOwnEscapes(tree)) return;
    const printed = printNode(tree.root, contextOf(dialect));
    expect(shapeOf(treeOf(printed, dialect).root)).toEqual(shapeOf(tree.root));
  });
});

/** The query with a comment and a line break in every gap. */
function scattered(sql: string, dialect: DialectName): string {
  return lexSql(sql, dialect)
    .map(({ kind, text }) => (kind === 'space' ? ' /* gap */\n  ' : text))
    .join('');
}

/** Whether the nodes alone say everything, with no word left to the source. */
function isFromNodes(tree: SqlTree): boolean {
  const context = contextOf(tree.dialect, tree);
  const isWhole = (node: PrintableNode): boolean => {
    const parts = partsOf(node, context);
    return unprintedWords(node, parts, context).length === 0 && nodesOf(parts).every(isWhole);
  };
  const kept = ['TableSample', 'Version', 'Into', 'Lock', 'Command', 'TableColumns', 'JSONPath'];
  return isWhole(tree.root) && tree.nodes.every(({ type }) => !kept.includes(type));
}

/** Texts with escapes and prefixes, names of files, signs that stand for a type of several, TABLE and SELECT FROM. */
function hasOwnEscapes(tree: SqlTree): boolean {
  const signs =
    /\\|\$\$|[rbRBeEuU]&?['"]|@stage|'data|0x|&&|\|\||\bMOD\b|#>|\*\*|TABLE t|SELECT FROM|"|RLIKE|\]\[|\)\[|~~/;
  return signs.test(tree.text);
}

it('covers every type of node that the parser makes', () => {
  const seen = new Set(
    DIALECT_NAMES.flatMap((dialect) =>
      queriesOf(dialect).flatMap((sql) => treeOf(sql, dialect).nodes.map(({ type }) => String(type))),
    ),
  );
  expect(Object.keys(NODE_SHAPES).filter((type) => !seen.has(type))).toEqual([]);
});

const NORMALISED: readonly (readonly [dialect: DialectName, sql: string, printed: string])[] = [
  ['sqlite', 'select a x from t y', 'SELECT a AS x FROM t AS y'],
  ['sqlite', 'select a from t order by a asc', 'SELECT a FROM t ORDER BY a'],
  ['sqlite', 'select all a from t -- last', 'SELECT a FROM t'],
  ['sqlite', 'select not a in (1), b isnull from t;', 'SELECT NOT a IN (1), b IS NULL FROM t'],
  ['postgres', "select a ~~ 'x%' || b from t", "SELECT a ~~ 'x%' || b FROM t"],
  ['postgres', "select 'a'\n'b'", "SELECT 'a'\n'b'"],
  ['postgres', 'select cast(a as float), a::float from t', 'SELECT cast(a AS FLOAT), a::FLOAT FROM t'],
  ['mysql', 'select a mod 2, a rlike b, a && b', 'SELECT a MOD 2, a RLIKE b, a && b'],
  ['duckdb', 'select * from t using sample 5 rows', 'SELECT * FROM t using sample 5 rows'],
  ['snowflake', 'select a from t minus select b from u', 'SELECT a FROM t EXCEPT SELECT b FROM u'],
  ['bigquery', 'select `a.b`.c from `p.d.t`', 'SELECT `a`.`b`.c FROM `p`.`d`.`t`'],
];

it.each(NORMALISED)('%s: %s', (dialect, sql, printed) => {
  const text = printTree(treeOf(sql, dialect));
  expect(text).toBe(printed);
  expect(printTree(treeOf(text, dialect))).toBe(text);
});

it('lays a query out over lines', () => {
  const tree = treeOf('select a, count(*) n from (select a from t where b = 1) s group by a', 'sqlite');
  expect(printTree(tree, { layout: 'lines' })).toMatchInlineSnapshot(`
    "SELECT a, count(*) AS n
    FROM (
      SELECT a
      FROM t
      WHERE b = 1
    ) AS s
    GROUP BY a"
  `);
});
