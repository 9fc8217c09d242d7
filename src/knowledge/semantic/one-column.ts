/** How a field of a semantic file names the one column that it is. */

const ONE_COLUMN = /^(?:(?:[^\s.()"]+|"(?:[^"]|"")+")\.)?(?:"((?:[^"]|"")+)"|([^\s.()"]+))$/;

/**
 * The column that an expression is and nothing else: `status`, `orders.status`, `"Free Meal Count (K-12)"`.
 * `undefined` for all other SQL. Quotes are needed where a name holds spaces, dots or brackets.
 */
export function readOneColumn(expression: string): string | undefined {
  const found = ONE_COLUMN.exec(expression.trim());
  return found === null ? undefined : (found[1]?.replaceAll('""', '"') ?? found[2]);
}

/** The expression that `readOneColumn` reads as this column. */
export function writeOneColumn(column: string): string {
  return /[\s.()"]/.test(column) ? `"${column.replaceAll('"', '""')}"` : column;
}
