/** Quotes one argument so that a POSIX shell passes it on unchanged: `sales in "Q1"` → `'sales in "Q1"'`. */
export function shellQuote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!/["$`\\!]/.test(text)) return `"${text}"`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
