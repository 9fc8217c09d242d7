/** The name of a type where several are one type. */
import type { DialectName } from '../dialect.ts';

const SAME: ReadonlyMap<string, string> = new Map([
  ['INTEGER', 'INT'],
  ['INT4', 'INT'],
  ['INT8', 'BIGINT'],
  ['BOOL', 'BOOLEAN'],
  ['NUMERIC', 'DECIMAL'],
  ['DOUBLE PRECISION', 'DOUBLE'],
  ['FLOAT8', 'DOUBLE'],
  ['FLOAT4', 'REAL'],
  ['CHARACTER VARYING', 'VARCHAR'],
  ['CHAR VARYING', 'VARCHAR'],
  ['CHARACTER', 'CHAR'],
  ['TIMESTAMP WITHOUT TIME ZONE', 'TIMESTAMP'],
  ['TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE'],
]);

export function typeName(name: string, dialect: DialectName): string {
  const upper = name.toUpperCase();
  return dialect === 'sqlite' ? affinity(upper) : (SAME.get(upper) ?? upper);
}

/** SQLite knows five types only, by the words in the name: https://www.sqlite.org/datatype3.html, section 3.1. */
function affinity(name: string): string {
  if (name.includes('INT')) return 'INT';
  if (/CHAR|CLOB|TEXT/.test(name)) return 'TEXT';
  if (name.includes('BLOB')) return 'BLOB';
  return /REAL|FLOA|DOUB/.test(name) ? 'REAL' : 'DECIMAL';
}
