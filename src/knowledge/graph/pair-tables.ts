import type { Catalog } from '../../catalog/index.ts';
import { findNames, lexSql, parse } from '../../sql/index.ts';
import type { VerifiedPair } from '../authored/read-examples.ts';

/** Canonical ids of the tables that each pair reads; none for SQL that does not parse. */
export function pairTables(
  pairs: readonly VerifiedPair[],
  { tables, dialect }: Pick<Catalog, 'tables' | 'dialect'>,
): readonly (readonly string[])[] {
  // Names are resolved against an index, which is dear for a whole warehouse: only tables that could be meant go in.
  const words = new Set(
    pairs.flatMap(({ sql }) => lexSql(sql, dialect).map(({ text }) => bare(text).toLowerCase())),
  );
  const schema = { tables: tables.filter(({ name }) => words.has(name.toLowerCase())) };
  return pairs.map(({ sql }) => {
    const parsed = parse(sql, dialect);
    return parsed.ok ? findNames(parsed.tree, schema).tables : [];
  });
}

/** Without the quotes of an identifier. */
function bare(text: string): string {
  return text.replace(/^["`[](.*)["`\]]$/s, '$1');
}
