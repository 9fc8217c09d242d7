/** SQL that stands in what a person wrote, and the words around it. */
export interface SqlInText {
  readonly sql: string;
  /** Before and after it. */
  readonly words: string;
  /** What an engine said against it, where that was pasted with it. */
  readonly error?: string;
}

const FENCED = /```(?:sql)?\s*([\s\S]+?)```/i;
/** A statement: what stands behind SELECT in SQL, but not in "select the best singers". */
const STATEMENT =
  /(?:^|[\s:("'`])((?:select\s+(?:[\s\S]*?\sfrom\s+\S|[^\s]*[(*,=]|top\s+\d+\s)|with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s*\(|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|(?:drop|create|alter|truncate)\s+(?:table|view|index|database|schema)\s)[\s\S]*)$/i;
const ERROR =
  /(?:^|[\s;])(?:--\s*)?(?:error|it says|the engine says|(?:it )?(?:fails|failed) with|gives|i get|i got|→|=>)\s*:?\s+((?:error:?\s*)?[^\n]+)$/i;

/** `fix: SELECT nmae FROM singers` → its SQL and `fix:`; undefined where there is none. Nothing of it is parsed. */
export function sqlInText(text: string): SqlInText | undefined {
  const fenced = FENCED.exec(text);
  if (fenced !== null) {
    const words = `${text.slice(0, fenced.index)} ${text.slice(fenced.index + fenced[0].length)}`.trim();
    return found(fenced[1] ?? '', words, words);
  }
  const stated = STATEMENT.exec(text);
  const sql = stated?.[1];
  if (stated === null || sql === undefined) return undefined;
  const before = text.slice(0, text.length - sql.length).trim();
  const said = ERROR.exec(sql);
  const bare = said === null ? sql : sql.slice(0, said.index);
  const after = said === null ? '' : said[0];
  return found(bare, `${before} ${after}`.trim(), after === '' ? before : after);
}

function found(sql: string, words: string, around: string): SqlInText {
  const error = ERROR.exec(around)?.[1]?.trim();
  return {
    sql: sql.replace(/^["'`\s]+|["'`\s;]+$/g, '').trim(),
    words,
    ...(error !== undefined && error !== '' && { error }),
  };
}
