/** When two spellings of a name are one and the same name to an engine. */
import type { DialectName } from '../dialect.ts';
import type { SqlNode } from '../tree/node.ts';

/**
 * `ignored`: letters of either case are equal; `lowered`, `raised`: a name without quotes is changed so, a quoted one
 * stands as written; `kept`: every letter counts.
 */
type LetterCase = 'ignored' | 'lowered' | 'raised' | 'kept';

/**
 * Tables. What a server decides by its settings (`lower_case_table_names` of MySQL) is taken in its strictest form: a
 * name that is refused can be written as the catalog spells it, one that means another table cannot be taken back.
 */
const TABLES: Readonly<Record<DialectName, LetterCase>> = {
  sqlite: 'ignored',
  duckdb: 'ignored',
  postgres: 'lowered',
  mysql: 'kept',
  trino: 'ignored',
  snowflake: 'raised',
  bigquery: 'kept',
};

/** CTEs: where two spellings are two names, the second may be that of a table. */
const CTES: Readonly<Record<DialectName, LetterCase>> = { ...TABLES, bigquery: 'ignored' };

/** Whether a table name as written means the table that the engine spells `name`. */
export function isTableName(written: SqlNode, name: string, dialect: DialectName): boolean {
  const letters = TABLES[dialect];
  if (letters === 'ignored') return lower(written.value ?? '') === lower(name);
  return fold(written, letters) === name;
}

/** Whether two written names mean the same CTE. */
export function isSameCteName(a: SqlNode, b: SqlNode, dialect: DialectName): boolean {
  const letters = CTES[dialect];
  return fold(a, letters) === fold(b, letters);
}

function fold({ value = '', flags }: SqlNode, letters: LetterCase): string {
  if (letters === 'ignored') return lower(value);
  if (letters === 'kept' || flags.quoted !== undefined) return value;
  return letters === 'lowered' ? lower(value) : raise(value);
}

/** Engines fold ASCII letters alone or may do so; `K` (Kelvin) is not `k` then. */
function lower(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function raise(name: string): string {
  return name.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
