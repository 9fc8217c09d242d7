/**
 * Finds the first word of a SQL text and whether a second statement follows. The SQLite driver runs the first
 * statement and drops the rest in silence, so the text is checked here. DuckDB counts its statements itself.
 */

/** Closing mark of each quoting style; a doubled mark stays inside, except for `[…]`. */
const CLOSING: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '[': ']' };

export interface StatementOutline {
  /** Lower case; empty when the text holds no statement. */
  readonly firstWord: string;
  readonly hasMore: boolean;
  /** From its first word or sign to its last, without blanks, comments and semicolons around it. */
  readonly text: string;
}

/** `outlineStatement('-- x\nSELECT 1; DROP TABLE t')` → `{firstWord: 'select', hasMore: true}`. */
export function outlineStatement(sql: string): StatementOutline {
  let firstWord = '';
  let isEnded = false;
  let [start, end] = [0, 0];
  let position = 0;
  while (position < sql.length) {
    const skipped = skipBlank(sql, position);
    if (skipped > position) {
      position = skipped;
      continue;
    }
    const mark = sql[position] ?? '';
    if (mark === ';') {
      isEnded = firstWord !== '' || isEnded;
      position += 1;
      continue;
    }
    if (isEnded) return { firstWord, hasMore: true, text: sql.slice(start, end) };
    if (firstWord === '') {
      start = position;
      firstWord = /^\w+/.exec(sql.slice(position, position + 20))?.[0].toLowerCase() ?? mark;
    }
    const closing = CLOSING[mark];
    position = closing === undefined ? position + 1 : skipQuoted(sql, position, closing);
    end = position;
  }
  return { firstWord, hasMore: false, text: sql.slice(start, end) };
}

function skipBlank(sql: string, start: number): number {
  const mark = sql[start] ?? '';
  if (/\s/.test(mark)) return start + 1;
  if (sql.startsWith('--', start)) {
    const end = sql.indexOf('\n', start);
    return end === -1 ? sql.length : end + 1;
  }
  if (sql.startsWith('/*', start)) {
    const end = sql.indexOf('*/', start + 2);
    return end === -1 ? sql.length : end + 2;
  }
  return start;
}

function skipQuoted(sql: string, start: number, closing: string): number {
  let end = sql.indexOf(closing, start + 1);
  while (end !== -1 && closing !== ']' && sql[end + 1] === closing) end = sql.indexOf(closing, end + 2);
  return end === -1 ? sql.length : end + 1;
}
