/** The schema that `CREATE TABLE` statements make, for engines that are not here to be asked. */
import type { DialectName } from '../../src/sql/dialects/dialect.ts';
import type { NamedSchema } from '../../src/sql/scope/index.ts';

const CREATION = /^CREATE TABLE (\S+) \((.*)\)$/s;

/** Reads `CREATE TABLE path (column type, …)` alone, with unquoted names and without constraints, and no other statement. */
export function readCreatedTables(statements: readonly string[], dialect: DialectName): NamedSchema {
  const creations = statements.filter((statement) => !/^INSERT INTO /.test(statement));
  return { tables: creations.map((statement) => readCreation(statement, dialect)) };
}

function readCreation(statement: string, dialect: DialectName): NamedSchema['tables'][number] {
  const [, path, inside] = CREATION.exec(statement) ?? [];
  if (path === undefined || inside === undefined) throw new Error(`no table is read from: ${statement}`);
  const parts = path.split('.').map((name) => stored(name, dialect));
  const id = parts.join('.').toLowerCase();
  return {
    id,
    name: parts.at(-1) ?? path,
    schema: parts.at(-2),
    columns: splitColumns(inside).map((column) => {
      const [name = '', ...type] = column.trim().split(' ');
      return { id: `${id}.${name.toLowerCase()}`, name: stored(name, dialect), type: type.join(' ') };
    }),
  };
}

/** Snowflake keeps an unquoted name in capitals, Trino in small letters, BigQuery as it was written. */
function stored(name: string, dialect: DialectName): string {
  if (dialect === 'snowflake') return name.toUpperCase();
  return dialect === 'trino' ? name.toLowerCase() : name;
}

/** At the commas that stand in no bracket: `a DECIMAL(1, 2), b ARRAY<STRUCT<c INT64, d STRING>>` are two columns. */
function splitColumns(inside: string): string[] {
  const columns = [''];
  let depth = 0;
  for (const letter of inside) {
    if ('(<'.includes(letter)) depth += 1;
    if (')>'.includes(letter)) depth -= 1;
    if (letter === ',' && depth === 0) columns.push('');
    else columns[columns.length - 1] += letter;
  }
  return columns;
}
