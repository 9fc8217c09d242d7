/**
 * Honest statements that the guard refuses: examples in the manner of the public documentation of the seven dialects,
 * each with the tables it reads. SQLite, DuckDB, PostgreSQL and MariaDB run what passes; for Trino, Snowflake and
 * BigQuery the text and the names are judged. `npx tsx bench/guard/documentation.ts [--file folder]`
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { outlineCatalog } from '../../src/catalog/index.ts';
import { guard } from '../../src/database/guard/guard.ts';
import { connect, type Database, guarded } from '../../src/database/index.ts';
import type { DialectName } from '../../src/sql/dialects/dialect.ts';
import { DIALECT_NAMES } from '../../src/sql/dialects/dialects.ts';
import { checkVisible } from '../../src/sql/guard/index.ts';
import { parse } from '../../src/sql/index.ts';
import type { NamedSchema } from '../../src/sql/scope/index.ts';
import { orEnd } from '../bench-options.ts';
import { type BenchedEngine, openEngine } from '../open-engine.ts';
import { refusalOf } from './count-refusals.ts';
import { readCreatedTables } from './created-tables.ts';

const ENGINES = { sqlite: 'sqlite', duckdb: 'duckdb', postgres: 'postgres', mysql: 'mariadb' } as const;
const FIXTURES = fileURLToPath(new URL('../../test/fixtures/guard', import.meta.url));
const LIMITS = { rows: 1_000, bytes: 10_000_000, timeoutMs: 30_000 };

const STATEMENT = z.strictObject({
  id: z.string().regex(/^[a-z]+-[a-z0-9-]+$/),
  page: z.string().min(3),
  about: z.string().min(3),
  /** What the engine here lacks, so that the statement is judged and not run. */
  engine: z.string().min(3).optional(),
  setup: z.array(z.string().min(8)),
  sql: z.string().min(3),
});

export type DocumentedStatement = z.infer<typeof STATEMENT>;

export interface RefusedStatement {
  readonly id: string;
  readonly sql: string;
  /** By the guard, by the check of names, or by the engine when it was given the text that came out. */
  readonly why: string;
}

export function readDocumentation(dialect: DialectName, folder = FIXTURES): DocumentedStatement[] {
  const lines = readFileSync(join(folder, `documentation-${dialect}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => STATEMENT.parse(JSON.parse(line)));
}

/** For a dialect whose engine is not here: the text, and the names in the tables that the setup makes. */
export function judgeStatements(
  statements: readonly DocumentedStatement[],
  dialect: DialectName,
): RefusedStatement[] {
  return statements.flatMap(({ id, setup, sql }) => {
    const why = judge(sql, dialect, readCreatedTables(setup, dialect));
    return why === undefined ? [] : [{ id, sql, why }];
  });
}

/** Each statement as a caller's query over a database with its tables; statements with the same tables share one. */
export async function runStatements(
  statements: readonly DocumentedStatement[],
  engine: Pick<BenchedEngine, 'make'>,
): Promise<RefusedStatement[]> {
  const groups = new Map<string, DocumentedStatement[]>();
  // A SQLite file without a table is empty, and no database: what reads none goes along with the first that does.
  const first = statements.find(({ setup }) => setup.length > 0);
  for (const statement of statements) {
    const key = (statement.setup.length > 0 ? statement : (first ?? statement)).setup.join('\n');
    groups.set(key, [...(groups.get(key) ?? []), statement]);
  }
  const refused: RefusedStatement[] = [];
  for (const [index, group] of [...groups.values()].entries()) {
    const made = group.find((statement) => statement.setup.length > 0)?.setup ?? [];
    // A database without tables has nothing to ask.
    const setup = [...made, 'CREATE TABLE unused (id INT)'];
    const database = await connect(await engine.make(`documentation${index}`, setup));
    try {
      refused.push(...(await runGroup(group, database)));
    } finally {
      await database.close();
    }
  }
  return refused;
}

async function runGroup(
  group: readonly DocumentedStatement[],
  database: Database,
): Promise<RefusedStatement[]> {
  const catalog = await outlineCatalog(database);
  const behindGuard = guarded(database, { kind: 'caller-queries', catalog });
  const refused: RefusedStatement[] = [];
  for (const { id, sql, engine } of group) {
    const why =
      engine === undefined
        ? await behindGuard.query(sql, LIMITS).then(() => undefined, shortReason)
        : judge(sql, database.dialect, catalog);
    if (why !== undefined) refused.push({ id, sql, why });
  }
  return refused;
}

function judge(sql: string, dialect: DialectName, schema: NamedSchema): string | undefined {
  const refusal = refusalOf(() => guard(sql, dialect));
  if (refusal !== undefined) return refusal;
  const parsed = parse(sql, dialect);
  const name = parsed.ok ? checkVisible(parsed.tree, schema, { allowsWildcards: true }) : undefined;
  return name && `${name.name} is not visible: ${name.reason}`;
}

function shortReason(error: unknown): string {
  return (
    refusalOf(() => {
      throw error;
    }) ?? 'refused without a reason'
  );
}

export interface DocumentationCount {
  readonly statements: number;
  readonly refused: readonly RefusedStatement[];
}

/** Over all dialects; those whose server is not installed are left out and named. */
export async function countDocumentation(
  onMissing: (message: string) => void,
  folder = FIXTURES,
): Promise<DocumentationCount> {
  const place = mkdtempSync(join(tmpdir(), 'candor-documentation-'));
  const refused: RefusedStatement[] = [];
  let count = 0;
  try {
    for (const dialect of DIALECT_NAMES) {
      const statements = readDocumentation(dialect, folder);
      if (dialect === 'trino' || dialect === 'snowflake' || dialect === 'bigquery')
        refused.push(...judgeStatements(statements, dialect));
      else {
        const engine = await openEngine(ENGINES[dialect], place);
        if ('missing' in engine) {
          onMissing(`documentation of ${dialect} is left out: ${engine.missing}`);
          continue;
        }
        try {
          refused.push(...(await runStatements(statements, engine)));
        } finally {
          await engine.stop();
        }
      }
      count += statements.length;
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return { statements: count, refused };
}

/** A line with the figure, and below it each refused statement with the reason. */
export function listDocumentation({ statements, refused }: DocumentationCount): string[] {
  return [
    `documentation: ${refused.length} of ${statements} refused`,
    ...refused.map(({ id, why }) => `  ${id}: ${why}`),
  ];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { file } = orEnd(() => parseArgs({ options: { file: { type: 'string' } } }).values);
  const say = (line: string): unknown => process.stdout.write(`${line}\n`);
  for (const line of listDocumentation(await countDocumentation(say, file))) say(line);
}
