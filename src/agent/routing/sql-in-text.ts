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

/** A line of its own that an engine has said, in quotes or behind an arrow or without any sign. */
const ENGINE_LINE =
  /^\s*(?:(?:--|->|=>|→)\s*)?["'“(]?\s*(?:(?:sql |binder |parser |catalog |conversion |runtime )?error\b|no such (?:table|column|function)\b|near\s+"|unknown (?:column|table|function)\b|misuse of\b|ambiguous column\b|incomplete input\b|syntax error\b|division by zero\b|permission denied\b|invalid (?:input|identifier|use|value)\b|(?:sub)?query returns\b|more than one row\b|(?:column|relation|table|function|operator)\s+\S.*\b(?:does ?n[o'’]t exist|must appear|not found)\b)/i;

const EMPTY_LINE = /\n[^\S\n]*\n/;
/** What goes on with a query behind an empty line. */
const CLAUSE =
  /^(?:select|from|where|and|or|group|order|having|limit|join|left|right|inner|outer|cross|on|union|with|case|when|else|end|offset|fetch|window|qualify|values|set)\b/i;

/** The statement, and words of a person behind an empty line: they begin with no clause and hold no sign that only SQL has. */
function withoutRemark(sql: string): readonly [sql: string, remark: string] {
  const paragraphs = sql.trimEnd().split(EMPTY_LINE);
  const last = paragraphs.at(-1)?.trim() ?? '';
  const isSaid = ENGINE_LINE.test(last) || ERROR.test(` ${last}`);
  const isRemark = paragraphs.length > 1 && /^\p{L}[^=;*<>()]*$/u.test(last) && !CLAUSE.test(last) && !isSaid;
  return isRemark ? [paragraphs.slice(0, -1).join('\n\n'), last] : [sql, ''];
}

/** The statement without the lines behind it that an engine has said, and these. */
function withoutSaid(sql: string): readonly [sql: string, said: string | undefined] {
  const lines = sql.split('\n');
  const at = lines.findIndex((line, index) => index > 0 && ENGINE_LINE.test(line));
  if (at < 0) return [sql, undefined];
  const said = lines.slice(at).join('\n').trim();
  return [
    lines.slice(0, at).join('\n'),
    said.replace(/^(?:--|->|=>|→)\s*/, '').replace(/^["'“]([\s\S]*)["'”]$/, '$1'),
  ];
}

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
  const [whole, remark] = withoutRemark(sql);
  const [statement, line] = withoutSaid(whole);
  const words = `${before} ${remark}`.trim();
  if (line !== undefined)
    return { ...found(statement, words, ''), error: line.replace(/^error\s*:\s*/i, '') };
  if (remark !== '') return found(whole, words, before);
  const said = ERROR.exec(sql);
  const bare = said === null ? sql : sql.slice(0, said.index);
  const after = said === null ? '' : said[0];
  return found(bare, `${before} ${after}`.trim(), after === '' ? before : after);
}

function found(sql: string, words: string, around: string): SqlInText {
  const error = ERROR.exec(around)?.[1]?.trim();
  return {
    sql: unquoted(sql),
    words,
    ...(error !== undefined && error !== '' && { error }),
  };
}

/** Without the end of quotes around it: one that nothing in the query opens. */
function unquoted(sql: string): string {
  const bare = sql.replace(/^["'`\s]+|[\s;]+$/g, '');
  const last = bare.at(-1) ?? '';
  const isOfText = !/["'`]/.test(last) || bare.split(last).length % 2 === 1;
  return isOfText ? bare : bare.slice(0, -1).replace(/[\s;]+$/, '');
}
