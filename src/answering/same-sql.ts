import type { DialectName } from '../sql/dialect.ts';
import { equivalence, parse } from '../sql/index.ts';

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

/** Whether two queries say the same: the order of their columns, aliases and the place of a condition aside. */
export function isSameReading(one: string, other: string, dialect: DialectName): boolean {
  if (isSameText(one, other)) return true;
  const [left, right] = [parse(one, dialect), parse(other, dialect)];
  return left.ok && right.ok && equivalence(left.tree, right.tree)(left.tree.root, right.tree.root);
}

/** The SQL that failed before is not offered again. */
export function withoutFailed<Written extends { readonly sql: string }>(
  candidates: readonly Written[],
  failed: string | undefined,
): readonly Written[] {
  return failed === undefined ? candidates : candidates.filter(({ sql }) => !isSameText(sql, failed));
}
