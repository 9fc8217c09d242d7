import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { requirePath } from '../../src/lab/corpus/suite-places.ts';
import type { DialectName } from '../../src/sql/dialects/dialect.ts';
import {
  type CoreQuery,
  type CoreSchema,
  type CoreTable,
  foldLower,
  foldUpper,
  type QuerySet,
  renameAll,
} from './query-set.ts';
import { readCsv } from './read-csv.ts';

const KINDS = ['questions_gen', 'instruct_basic', 'instruct_advanced'];

const METADATA = z.object({
  table_metadata: z.record(z.string(), z.array(z.object({ column_name: z.string(), data_type: z.string() }))),
});

/** Gold queries of Defog's questions; a question may have several, which are read as one query each. */
export async function readDefog(dialect: DialectName, dataDirectory: string): Promise<QuerySet> {
  const folder = join(dataDirectory, 'defog');
  const questions = await requirePath(join(folder, 'questions'), `The set defog-${dialect}`);
  const files = new Set(await readdir(questions));
  const queries: CoreQuery[] = [];
  for (const kind of KINDS) {
    const file = `${kind}_${dialect}.csv`;
    // Snowflake has only the first kind.
    if (!files.has(file)) continue;
    const rows = readCsv(await readFile(join(questions, file), 'utf8'));
    queries.push(...rows.flatMap((row, index) => readRow(row, `${kind}-${index}`, dialect)));
  }
  const databases = new Set(queries.map((query) => query.databaseId));
  return { queries, schemas: await readSchemas(join(folder, 'databases'), databases, dialect) };
}

function readRow(row: Readonly<Record<string, string>>, name: string, dialect: DialectName): CoreQuery[] {
  return splitStatements(row.query ?? '').map((sql, alternative) => ({
    id: `defog-${dialect}-${name}-${alternative}`,
    set: `defog-${dialect}`,
    dialect,
    sql: fillTemplate(sql),
    databaseId: `defog-${dialect}:${row.db_name ?? ''}`,
    runs: true,
  }));
}

const QUOTED_OR_SEMICOLON = /'(?:[^']|'')*'|"[^"]*"|;/g;

function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let from = 0;
  for (const match of text.matchAll(QUOTED_OR_SEMICOLON)) {
    if (match[0] !== ';') continue;
    statements.push(text.slice(from, match.index));
    from = match.index + 1;
  }
  return [...statements, text.slice(from)].map((sql) => sql.trim()).filter((sql) => sql !== '');
}

/**
 * `{a, b}` says that any of these columns will do, a later `{}` repeats the choice; the first is taken:
 * `SELECT {a.id, a.name}, COUNT(*) FROM a GROUP BY {}` → `SELECT a.id, COUNT(*) FROM a GROUP BY a.id`.
 */
export function fillTemplate(sql: string): string {
  let choice = '';
  return sql.replace(/'(?:[^']|'')*'|\{([^{}]*)\}/g, (whole, inside: string | undefined) => {
    if (inside === undefined) return whole;
    if (inside.trim() !== '') choice = firstItem(inside);
    return choice;
  });
}

/** Up to the first comma outside brackets. */
function firstItem(list: string): string {
  let depth = 0;
  for (const [index, character] of [...list].entries()) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) return [...list].slice(0, index).join('').trim();
  }
  return list.trim();
}

async function readSchemas(
  folder: string,
  databaseIds: ReadonlySet<string>,
  dialect: DialectName,
): Promise<CoreSchema[]> {
  return Promise.all(
    [...databaseIds].map(async (databaseId) => {
      const name = databaseId.slice(databaseId.indexOf(':') + 1);
      const path = await requirePath(join(folder, name, `${name}.json`), `The schema of ${name}`);
      const metadata = METADATA.parse(JSON.parse(await readFile(path, 'utf8')));
      return { databaseId, tables: storedNames(tablesOf(metadata), dialect) };
    }),
  );
}

function tablesOf({ table_metadata }: z.infer<typeof METADATA>): CoreTable[] {
  return Object.entries(table_metadata).map(([fullName, columns]) => {
    const parts = fullName.split('.');
    const qualifier = parts.slice(0, -1);
    return {
      name: parts.at(-1)!,
      ...(qualifier.length === 0 ? {} : { qualifier }),
      columns: columns.map(({ column_name, data_type }) => ({ name: column_name, type: data_type })),
    };
  });
}

/** Defog's own scripts create every table without quotes; engines that have no schemas know the bare names. */
function storedNames(tables: readonly CoreTable[], dialect: DialectName): readonly CoreTable[] {
  if (dialect === 'postgres') return renameAll(tables, foldLower);
  if (dialect === 'snowflake') return renameAll(tables, foldUpper);
  return tables.map(({ name, columns }) => ({ name, columns }));
}
