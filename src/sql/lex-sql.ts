/** Cuts SQL text into tokens by the engine's own rules, so that comments and quotes mean what the engine thinks. */
import type { DialectName } from './dialect.ts';

export type TokenKind =
  | 'word'
  | 'quoted-name'
  | 'text'
  | 'number'
  | 'operator'
  | 'parameter'
  | 'comment'
  | 'space'
  /** A quote or comment that never ends, or a character no rule knows. */
  | 'broken';

/** One token with its UTF-16 offsets; all tokens of a text, white space included, tile it. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

type Rule = readonly [kind: TokenKind, pattern: RegExp];

const NAME_START = '[A-Za-z_\\u0080-\\uffff]';
const NAME_PART = '(?!\\s)[\\w$\\u0080-\\uffff]';
const WORD: Rule = ['word', new RegExp(`(?!\\s)${NAME_START}(?:${NAME_PART})*`, 'y')];
const SPACE: Rule = ['space', /\s+/y];
const PLAIN_TEXT: Rule = ['text', /'(?:[^']|'')*'/y];
const BLOB: Rule = ['text', /[xX]'[^']*'/y];
const DOUBLE_QUOTED: Rule = ['quoted-name', /"(?:[^"]|"")*"/y];
const NUMBER: Rule = ['number', /0[xX][0-9a-fA-F_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y];
const OPERATOR: Rule = [
  'operator',
  /->>|->|\|\||<=>|<>|<=|>=|==|!=|::|:=|=>|<<|>>|\/\/|\*\*|[^\s\w'"`$\u0080-\uffff]/y,
];
const UNCLOSED: Rule = ['broken', /['"`[][\s\S]*/y];
const OTHER: Rule = ['broken', /[\s\S]/y];

interface Lexis {
  /** A block comment inside a block comment counts. */
  readonly nestsComments: boolean;
  /** Order matters: the first rule that matches at the place wins. */
  readonly rules: readonly Rule[];
}

const SQLITE: Lexis = {
  nestsComments: false,
  rules: [
    SPACE,
    ['comment', /--[^\n]*/y],
    // SQLite lets the end of the text close a block comment, and does not nest them.
    ['comment', /\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))/y],
    BLOB,
    PLAIN_TEXT,
    DOUBLE_QUOTED,
    ['quoted-name', /`(?:[^`]|``)*`/y],
    ['quoted-name', /\[[^\]]*\]/y],
    NUMBER,
    WORD,
    ['parameter', new RegExp(`\\?\\d*|[:@$](?:${NAME_PART})+`, 'y')],
    UNCLOSED,
    OPERATOR,
    OTHER,
  ],
};

const DUCKDB: Lexis = {
  nestsComments: true,
  rules: [
    SPACE,
    ['comment', /--[^\n\r]*/y],
    BLOB,
    ['text', /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y],
    ['broken', /[eE]'[\s\S]*/y],
    ['text', new RegExp(`\\$(${NAME_START}\\w*)?\\$[\\s\\S]*?\\$\\1\\$`, 'y')],
    PLAIN_TEXT,
    DOUBLE_QUOTED,
    NUMBER,
    WORD,
    ['parameter', /\?|\$\w+/y],
    ['broken', /['"][\s\S]*/y],
    OPERATOR,
    OTHER,
  ],
};

const LEXIS: Readonly<Record<DialectName, Lexis>> = { sqlite: SQLITE, duckdb: DUCKDB };

/** Tokens of `sql` in order; `lexSql('a--b', 'sqlite')` gives the word `a` and the comment `--b`. */
export function lexSql(sql: string, dialect: DialectName): readonly Token[] {
  const tokens: Token[] = [];
  let place = 0;
  while (place < sql.length) {
    const token = readToken(sql, place, LEXIS[dialect]);
    tokens.push(token);
    place = token.end;
  }
  return tokens;
}

/** The tokens that mean something: neither white space nor comments. */
export function significantTokens(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter((token) => token.kind !== 'space' && token.kind !== 'comment');
}

function readToken(sql: string, start: number, lexis: Lexis): Token {
  if (lexis.nestsComments && sql.startsWith('/*', start)) return readNestedComment(sql, start);
  for (const [kind, pattern] of lexis.rules) {
    pattern.lastIndex = start;
    const text = pattern.exec(sql)?.[0];
    if (text) return { kind, text, start, end: start + text.length };
  }
  return { kind: 'broken', text: sql.slice(start), start, end: sql.length };
}

/** Counts opening and closing marks, as DuckDB and PostgreSQL do. */
function readNestedComment(sql: string, start: number): Token {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let match = mark.exec(sql); match !== null; match = mark.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) {
      const end = mark.lastIndex;
      return { kind: 'comment', text: sql.slice(start, end), start, end };
    }
  }
  return { kind: 'broken', text: sql.slice(start), start, end: sql.length };
}
