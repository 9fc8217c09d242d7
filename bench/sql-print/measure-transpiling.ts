import { parse } from '../../src/sql/parser/parse.ts';
import { type Transpiled, transpile } from '../../src/sql/transpile/transpile.ts';
import type { SqlTree } from '../../src/sql/tree/node.ts';
import type { CoreQuery } from '../sql-core/query-set.ts';
import { sameRows } from './compare-rows.ts';
import { copyToDuckdb, type DuckdbCopy } from './duckdb-copy.ts';
import type { MeasureContext } from './measure-printing.ts';
import {
  databaseFile,
  type Outcome,
  openSqlite,
  type Row,
  runSqlite,
  runSqliteBackwards,
  type SqliteDatabase,
} from './sqlite-database.ts';

export interface TranspileRow {
  readonly set: string;
  /** With or without what a catalog knows of columns. */
  readonly catalog: string;
  /** Queries SQLite runs and whose rows it does not choose itself, as among equals under LIMIT. */
  readonly queries: number;
  /** The same text, untranslated, in DuckDB. */
  readonly untranslatedSame: number;
  /** Transpiled, whatever the diagnostics. */
  readonly allSame: number;
  /** Transpiled without a diagnostic, and the share of these that run and that give the same rows. */
  readonly clean: number;
  readonly cleanRuns: number;
  readonly cleanSame: number;
}

interface Question {
  readonly query: CoreQuery;
  readonly tree: SqlTree;
  readonly wanted: readonly Row[];
}

interface Finding {
  readonly untranslated: boolean;
  readonly isClean: boolean;
  readonly runs: boolean;
  readonly isSame: boolean;
}

/** Transpiles every query whose database is here and compares the rows of both engines. */
export async function measureTranspiling(
  set: string,
  queries: readonly CoreQuery[],
  context: MeasureContext,
): Promise<readonly TranspileRow[]> {
  const known: Finding[] = [];
  const unknown: Finding[] = [];
  for (const databaseId of new Set(queries.map((query) => query.databaseId))) {
    const file = databaseFile(databaseId, context.dataDirectory);
    if (file === undefined) continue;
    const source = openSqlite(file);
    const copy = await copyToDuckdb(source);
    for (const query of queries.filter((one) => one.databaseId === databaseId)) {
      const question = ask(source, query);
      if (question === undefined) continue;
      known.push(await compare(question, copy, transpileKnowing(question.tree, copy), context.write));
      unknown.push(await compare(question, copy, transpile(question.tree, 'duckdb'), () => {}));
    }
    source.close();
    copy.close();
  }
  return [rowOf(set, 'known', known), rowOf(set, 'unknown', unknown)];
}

/** The query with its rows; `undefined` when SQLite does not run it, or other rows would be as right. */
function ask(source: SqliteDatabase, query: CoreQuery): Question | undefined {
  const parsed = parse(query.sql, 'sqlite');
  const wanted = runSqlite(source, query.sql);
  const backwards = runSqliteBackwards(source, query.sql);
  if (!parsed.ok || !wanted.ok || !backwards.ok || !sameRows(wanted.rows, backwards.rows)) return undefined;
  return { query, tree: parsed.tree, wanted: wanted.rows };
}

async function compare(
  { query, wanted }: Question,
  copy: DuckdbCopy,
  { sql, diagnostics }: Transpiled,
  write: MeasureContext['write'],
): Promise<Finding> {
  const isSameAs = (outcome: Outcome): boolean => outcome.ok && sameRows(wanted, outcome.rows);
  const given = await copy.run(sql);
  const isSame = isSameAs(given);
  if (!isSame) {
    const messages = diagnostics.map(({ kind, rule, message }) => `${kind} ${rule}: ${message}`);
    const rows = given.ok ? given.rows.slice(0, 3).map(String) : given.error;
    const first = wanted.slice(0, 3).map(String);
    write({ law: 'transpile', id: query.id, sql: query.sql, given: sql, messages, rows, wanted: first });
  }
  return {
    untranslated: isSameAs(await copy.run(query.sql)),
    isClean: diagnostics.length === 0,
    runs: given.ok,
    isSame,
  };
}

/** With what a catalog knows: which names are columns, and what they hold. */
function transpileKnowing(tree: SqlTree, copy: DuckdbCopy): Transpiled {
  return transpile(tree, 'duckdb', {
    kindOf: (column) => copy.kindOf(column.children.at(-1)?.value ?? ''),
    isText: (column) => !copy.hasColumn(column.children.at(-1)?.value ?? ''),
  });
}

function rowOf(set: string, catalog: string, findings: readonly Finding[]): TranspileRow {
  const clean = findings.filter(({ isClean }) => isClean);
  const share = (some: readonly Finding[], test: (finding: Finding) => boolean): number =>
    some.length === 0 ? 0 : (100 * some.filter(test).length) / some.length;
  return {
    set,
    catalog,
    queries: findings.length,
    untranslatedSame: share(findings, ({ untranslated }) => untranslated),
    allSame: share(findings, ({ isSame }) => isSame),
    clean: clean.length,
    cleanRuns: share(clean, ({ runs }) => runs),
    cleanSame: share(clean, ({ isSame }) => isSame),
  };
}
