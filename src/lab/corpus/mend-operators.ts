/** The gold text of Spider was joined from tokens, which splits some operators; the official script mends the same three. */
export function mendOperators(sql: string): string {
  return sql.replaceAll('> =', '>=').replaceAll('< =', '<=').replaceAll('! =', '!=');
}
