import type { DialectName } from '../../sql/dialects/dialect.ts';
import { equivalence, parse } from '../../sql/index.ts';

/** Whether two texts of SQL differ in white space, closing semicolons, and case outside of texts, at most. */
export function isSameText(one: string, other: string): boolean {
  return bare(one) === bare(other);
}

function bare(sql: string): string {
  return sql
    .replace(/'(?:[^']|'')*'|[^']+/g, (part) =>
      part.startsWith("'") ? part : part.toLowerCase().replace(/[\s;]+/g, ' '),
    )
    .trim();
}

/**
 * Compares queries: whether two say the same, the order of their columns, aliases and the place of a condition aside. Each is
 * parsed once, however many it is compared with.
 */
export function comparingReadings(dialect: DialectName): (one: string, other: string) => boolean {
  const parsed = new Map<string, ReturnType<typeof parse>>();
  const read = (sql: string): ReturnType<typeof parse> => {
    const known = parsed.get(sql) ?? parse(sql, dialect);
    parsed.set(sql, known);
    return known;
  };
  return (one, other) => {
    if (isSameText(one, other)) return true;
    const [left, right] = [read(one), read(other)];
    return left.ok && right.ok && equivalence(left.tree, right.tree)(left.tree.root, right.tree.root);
  };
}

/** The SQL that failed before is not offered again. */
export function withoutFailed<Written extends { readonly sql: string }>(
  candidates: readonly Written[],
  failed: string | undefined,
): readonly Written[] {
  return failed === undefined ? candidates : candidates.filter(({ sql }) => !isSameText(sql, failed));
}
