/** Where a line may break: before these words, outside of brackets. */
const HEADS = /^(?:FROM|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|UNION|(?:LEFT |INNER |CROSS |FULL )?JOIN)\b/i;

/**
 * SQL of one line on several, character by character as long as before: a break takes the place of one space, so that spans
 * stay true. SQL that has lines already stays as it is.
 */
export function breakSql(sql: string): string {
  if (sql.includes('\n')) return sql;
  let depth = 0;
  let quote = '';
  let broken = '';
  for (let at = 0; at < sql.length; at += 1) {
    const char = sql.charAt(at);
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === "'" || char === '"' || char === '`') quote = char;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    const breaks = char === ' ' && quote === '' && depth === 0 && HEADS.test(sql.slice(at + 1, at + 20));
    broken += breaks ? '\n' : char;
  }
  return broken;
}
