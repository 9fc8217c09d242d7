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
