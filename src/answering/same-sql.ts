/** Whether two texts of SQL differ in case, white space and closing semicolons at most. */
export function isSameText(one: string, other: string): boolean {
  return bare(one) === bare(other);
}

function bare(sql: string): string {
  return sql
    .toLowerCase()
    .replace(/[\s;]+/g, ' ')
    .trim();
}

/** The SQL that failed before is not offered again. */
export function withoutFailed<Written extends { readonly sql: string }>(
  candidates: readonly Written[],
  failed: string | undefined,
): readonly Written[] {
  return failed === undefined ? candidates : candidates.filter(({ sql }) => !isSameText(sql, failed));
}
