/** A query that was written for another engine. */
import type { DialectName } from '../../sql/dialect.ts';
import { checkReadOnly, parse, transpile } from '../../sql/index.ts';

const WRITTEN_FOR: readonly DialectName[] = [
  'mysql',
  'postgres',
  'duckdb',
  'snowflake',
  'bigquery',
  'trino',
  'sqlite',
];

export interface Translated {
  readonly sql: string;
  readonly from: DialectName;
}

/**
 * The query in the words of `to`, out of the first dialect in which it only reads and nothing of it is lost. For a text
 * that `to` cannot read, or that calls functions it does not have.
 */
export function fromOtherDialect(sql: string, to: DialectName): Translated | undefined {
  for (const from of WRITTEN_FOR) {
    if (from === to) continue;
    const parsed = parse(sql, from);
    if (!parsed.ok || !checkReadOnly(parsed.tree).readOnly) continue;
    const { sql: written, diagnostics } = transpile(parsed.tree, to);
    if (diagnostics.some(({ kind }) => kind === 'unsupported')) continue;
    const again = parse(written, to);
    if (again.ok && checkReadOnly(again.tree).readOnly) return { sql: written, from };
  }
  return undefined;
}
