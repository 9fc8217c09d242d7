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

/** The SQL that failed before is not offered again. */
export function withoutFailed<Written extends { readonly sql: string }>(
  candidates: readonly Written[],
  failed: string | undefined,
): readonly Written[] {
  return failed === undefined ? candidates : candidates.filter(({ sql }) => !isSameText(sql, failed));
}
