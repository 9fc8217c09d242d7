import { parse } from '../../src/sql/parser/parse.ts';
import type { TranspileOptions } from '../../src/sql/transpile/translation/translation.ts';
import { transpile } from '../../src/sql/transpile/transpile.ts';
import type { SqlTree } from '../../src/sql/tree/node.ts';
import type { CoreQuery } from '../sql-core/query-set.ts';
import { columnKinds } from './column-kinds.ts';
import { sameRows } from './compare-rows.ts';
import { copyToDuckdb, type DuckdbCopy } from './duckdb-copy.ts';
import type { MeasureContext } from './measure-printing.ts';
import { databaseFile, openSqlite, type Row, runSqlite, type SqliteDatabase } from './sqlite-database.ts';
import { withSortKeys } from './tie-check.ts';

export interface TranspileRow {
  readonly set: string;
  /** With or without what a catalog knows of columns. */
  readonly catalog: string;
  /** Queries SQLite runs, but for those with columns of numbers and texts at once. */
  readonly queries: number;
  /** The same text, untranslated, in DuckDB. */
  readonly untranslatedSame: number;
  /** Transpiled, whatever the diagnostics. */
  readonly allSame: number;
  /** Transpiled without a diagnostic, and the share of these that run and that give the same rows. */
  readonly clean: number;
  readonly cleanRuns: number;
  readonly cleanSame: number;
  /** The same, or other rows among those that sort alike under a LIMIT. */
  readonly cleanSameButTies: number;
}

interface Finding {
  readonly untranslated: boolean;
  readonly isClean: boolean;
  readonly runs: boolean;
  readonly isSame: boolean;
  readonly isTie: boolean;
}

interface Engines {
  readonly source: SqliteDatabase;
  readonly copy: DuckdbCopy;
  readonly options: TranspileOptions;
}

/** Transpiles every query whose database is here and compares the rows of both engines. */
export async function measureTranspiling(
  set: string,
  queries: readonly CoreQuery[],
  { dataDirectory, write }: MeasureContext,
): Promise<readonly TranspileRow[]> {
  const known: Finding[] = [];
  const unknown: Finding[] = [];
  for (const databaseId of new Set(queries.map((query) => query.databaseId))) {
    const file = databaseFile(databaseId, dataDirectory);
    if (file === undefined) continue;
    const source = openSqlite(file);
    const copy = await copyToDuckdb(source);
    const options = columnKinds(copy.tables);
    for (const query of queries.filter((one) => one.databaseId === databaseId)) {
      const parsed = parse(query.sql, 'sqlite');
      const wanted = runSqlite(source, query.sql);
      if (!parsed.ok || !wanted.ok || namesAny(parsed.tree, copy.mixed)) continue;
      const question = { query, tree: parsed.tree, wanted: wanted.rows };
      known.push(await compare(question, { source, copy, options }, write));
      unknown.push(await compare(question, { source, copy, options: {} }, () => {}));
    }
    source.close();
    copy.close();
  }
  return [rowOf(set, 'known', known), rowOf(set, 'unknown', unknown)];
}

function namesAny(tree: SqlTree, names: ReadonlySet<string>): boolean {
  return tree.nodes.some(({ type, value }) => type === 'Identifier' && names.has(value?.toLowerCase() ?? ''));
}

interface Question {
  readonly query: CoreQuery;
  readonly tree: SqlTree;
  readonly wanted: readonly Row[];
}

async function compare(
  { query, tree, wanted }: Question,
  engines: Engines,
  write: MeasureContext['write'],
): Promise<Finding> {
  const { copy, options } = engines;
  const { sql, diagnostics } = transpile(tree, 'duckdb', options);
  const given = await copy.run(sql);
  const isSame = given.ok && sameRows(wanted, given.rows);
  const isTie = given.ok && !isSame && (await differsInTies(tree, engines));
  if (!isSame) {
    const messages = diagnostics.map(({ kind, rule, message }) => `${kind} ${rule}: ${message}`);
    const rows = given.ok ? given.rows.slice(0, 3).map(String) : given.error;
    const first = wanted.slice(0, 3).map(String);
    write({
      law: 'transpile',
      id: query.id,
      isTie,
      sql: query.sql,
      given: sql,
      messages,
      rows,
      wanted: first,
    });
  }
  const untranslated = await copy.run(query.sql);
  return {
    untranslated: untranslated.ok && sameRows(wanted, untranslated.rows),
    isClean: diagnostics.length === 0,
    runs: given.ok,
    isSame,
    isTie,
  };
}

/** All rows are the same, and so are the keys of those within the limit. */
async function differsInTies(tree: SqlTree, { source, copy, options }: Engines): Promise<boolean> {
  const keyed = withSortKeys(tree);
  if (keyed === undefined) return false;
  const both = async (one: SqlTree): Promise<readonly [readonly Row[], readonly Row[]] | undefined> => {
    const wanted = runSqlite(source, one.text);
    const given = await copy.run(transpile(one, 'duckdb', options).sql);
    return wanted.ok && given.ok ? [wanted.rows, given.rows] : undefined;
  };
  const all = await both(keyed.allRows);
  const limited = await both(keyed.limited);
  if (all === undefined || limited === undefined) return false;
  const keysOf = (rows: readonly Row[]): readonly Row[] => rows.map((row) => row.slice(-keyed.keys));
  return sameRows(all[0], all[1]) && sameRows(keysOf(limited[0]), keysOf(limited[1]));
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
    cleanSameButTies: share(clean, ({ isSame, isTie }) => isSame || isTie),
  };
}
