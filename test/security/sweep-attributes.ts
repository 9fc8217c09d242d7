/** Every function that PostgreSQL may call with one argument, written behind a dot in every clause of a query. */

import type { VisibleCatalog } from '../../src/database/guard/access-policy.ts';
import { type Database, decorate, guarded } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import { READING } from '../../src/sql/guard/index.ts';

const CLAUSES: readonly ((call: string) => string)[] = [
  (call) => `SELECT ${call} FROM t`,
  (call) => `SELECT id FROM t WHERE ${call} IS NOT NULL`,
  (call) => `SELECT COUNT(*) FROM t GROUP BY ${call}`,
  (call) => `SELECT id FROM t ORDER BY ${call}`,
  (call) => `SELECT COUNT(*) FROM t HAVING MAX((${call})::text) = ''`,
  (call) => `SELECT x.id FROM t JOIN t AS x ON ${call} IS NOT NULL`,
  (call) => `WITH c AS (SELECT ${call} AS v FROM t) SELECT v FROM c`,
];

/** What may stand before the dot: a value, a column, a row, an element, a subquery. */
const OWNERS: readonly ((name: string) => string)[] = [
  (name) => `('x').${name}`,
  (name) => `(t.a).${name}`,
  (name) => `t.${name}`,
  (name) => `(t).${name}`,
  (name) => `(ARRAY[t.a])[1].${name}`,
  (name) => `(SELECT 'x').${name}`,
];

export interface SweptAttributes {
  readonly functions: number;
  readonly statements: number;
  /** Statements that reached the engine though their function is on no list. */
  readonly passed: readonly string[];
}

/** `catalog` has a table t with the columns id and a; nothing but plans is asked of the engine. */
export async function sweepAttributes(database: Database, catalog: VisibleCatalog): Promise<SweptAttributes> {
  // Whether it reaches the engine is the question: a refusal is thrown before.
  const unplanned = decorate(database, () => ({ explain: async () => ({}) }));
  const door = guarded(unplanned, { kind: 'caller-queries', catalog });
  const names = await functionsOfOneArgument(database);
  let statements = 0;
  const passed: string[] = [];
  for (const name of names) {
    for (const owner of OWNERS) {
      for (const clause of CLAUSES) {
        const sql = clause(owner(`"${name.replaceAll('"', '""')}"`));
        statements += 1;
        if ((await passes(door, sql)) && !READING.postgres.functions.has(name)) passed.push(sql);
      }
    }
  }
  return { functions: names.length, statements, passed };
}

async function functionsOfOneArgument(database: Database): Promise<readonly string[]> {
  const { rows } = await database.query(
    `SELECT DISTINCT proname FROM pg_catalog.pg_proc
     WHERE pronargs >= 1 AND (pronargs - pronargdefaults <= 1 OR provariadic <> 0) ORDER BY 1`,
    { rows: 100_000, bytes: 10_000_000, timeoutMs: 60_000 },
  );
  return rows.map(([name]) => String(name));
}

async function passes(door: Database, sql: string): Promise<boolean> {
  try {
    await door.explain(sql);
    return true;
  } catch (error) {
    if (error instanceof CandorError) return false;
    throw error;
  }
}
