import type { Catalog } from '../../catalog/index.ts';
import { findNames, parse } from '../../sql/index.ts';
import type { VerifiedPair } from '../authored/read-examples.ts';

/** A verified pair with the tables that its SQL reads. */
export interface KnownExample {
  readonly pair: VerifiedPair;
  /** Canonical ids. */
  readonly tables: readonly string[];
}

export interface KnownExamples {
  readonly examples: readonly KnownExample[];
  /** Pairs that were left out, and why, for people. */
  readonly warnings: readonly string[];
}

/**
 * Reads the tables of each pair; a pair that names a table or column which is not in the catalog is left out: it is
 * older than the schema, or of tables the reader may not see.
 */
export function knownExamples(pairs: readonly VerifiedPair[], catalog: Catalog): KnownExamples {
  const examples: KnownExample[] = [];
  const warnings: string[] = [];
  for (const pair of pairs) {
    const parsed = parse(pair.sql, catalog.dialect);
    if (!parsed.ok) {
      warnings.push(`${pair.file} is left out: its SQL cannot be read`);
      continue;
    }
    const names = findNames(parsed.tree, catalog);
    if (names.problems.some(({ kind }) => kind !== 'ambiguous-column'))
      warnings.push(`${pair.file} is left out: it names what is not in the catalog`);
    else examples.push({ pair, tables: names.tables });
  }
  return { examples, warnings };
}
