/** What makes a token in each dialect, as data: quotes, comments, numbers and operators by the engine's own rules. */
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

/** A sticky pattern that may match where one of the characters of `starts` stands. */
export interface TokenRule {
  readonly kind: TokenKind;
  readonly starts: string;
  readonly pattern: RegExp;
}

export interface Lexis {
  /** A block comment inside a block comment counts. */
  readonly nestsComments: boolean;
  /** Tried before words and operators; the first that matches at the place wins. */
  readonly rules: readonly TokenRule[];
  /** Operators, longest first. */
  readonly operator: RegExp;
}

const DIGITS = '0123456789';
const NAME = '[A-Za-z_\\u0080-\\uffff](?:(?!\\s)[\\w$\\u0080-\\uffff])*';

const rule = (kind: TokenKind, starts: string, pattern: RegExp): TokenRule => ({ kind, starts, pattern });

const DASH_COMMENT = rule('comment', '-', /--[^\n\r]*/y);
const HASH_COMMENT = rule('comment', '#', /#[^\n\r]*/y);
const BLOCK_COMMENT = rule('comment', '/', /\/\*[\s\S]*?\*\//y);
const OPEN_COMMENT = rule('broken', '/', /\/\*[\s\S]*/y);
const NUMBER = rule(
  'number',
  `${DIGITS}.`,
  /0[xX][0-9a-fA-F_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?/y,
);
const PLAIN_TEXT = rule('text', "'", /'(?:[^']|'')*'/y);
const ESCAPED_TEXT = rule('text', "'", /'(?:[^'\\]|\\[\s\S]|'')*'/y);
const NATIONAL_TEXT = rule('text', 'nN', /[nN]'(?:[^']|'')*'/y);
const BITS = rule('text', 'xXbB', /[xXbB]'[^']*'/y);
const ESCAPE_TEXT = rule('text', 'eE', /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y);
/** Lone surrogates are one and the same character to an engine, so no tag may hold them. */
const TAGGED_TEXT = rule(
  'text',
  '$',
  /\$((?:[A-Za-z_\u0080-\ud7ff\ue000-\uffff][\w\u0080-\ud7ff\ue000-\uffff]*)?)\$[\s\S]*?\$\1\$/y,
);
/** Read to the end of the text once, and not again from each dollar in it. */
const UNCLOSED_TAG = rule(
  'broken',
  '$',
  /\$(?:[A-Za-z_\u0080-\ud7ff\ue000-\uffff][\w\u0080-\ud7ff\ue000-\uffff]*)?\$[\s\S]*/y,
);
const DOUBLE_NAME = rule('quoted-name', '"', /"(?:[^"]|"")*"/y);
const BACKTICK_NAME = rule('quoted-name', '`', /`(?:[^`]|``)*`/y);
const DOLLAR_PARAMETER = rule('parameter', '$', /\$\w+/y);
const MARK_PARAMETER = rule('parameter', '?', /\?/y);
/** The last row of a partition, in the patterns of MATCH_RECOGNIZE. */
const PATTERN_END = rule('operator', '$', /\$(?![\w$\u0080-\uffff])/y);
/** Last of the quoted rules: what is opened and never closed. */
const UNCLOSED = rule('broken', `'"\``, /['"`][\s\S]*/y);
const UNCLOSED_ESCAPE = rule('broken', 'eE', /[eE]'[\s\S]*/y);

const OPERATOR = /->>|->|\|\||<=>|<>|<=|>=|==|!=|::|:=|=>|<<|>>|\*\*|[^\s\w'"`$\u0080-\uffff]/y;
/** BigQuery's steps are marked by `|>`. */
const PIPED_OPERATOR = new RegExp(`\\|>|${OPERATOR.source}`, 'y');
const SLASHED_OPERATOR =
  /->>|->|\|\||<->|<=>|<>|<=|>=|==|!=|::|:=|=>|<<|>>|\/\/|\*\*|!~~\*?|~~~|~~\*?|!~|\^@|@>|<@|&&|[^\s\w'"`$\u0080-\uffff]/y;
/**
 * PostgreSQL's rule 4.1.3: signs that stand together are one operator up to where a comment begins, and end in `+` or `-`
 * only when they hold one of the signs that no operator of SQL has.
 */
const POSTGRES_SIGN = '(?!--|\\/\\*)[-+*/<>=';
/** No operator has a longer name, so that no sign of a long run looks at the whole of it. */
const MOST_SIGNS = 63;
const POSTGRES_OPERATOR = new RegExp(
  [
    '::|:=',
    `(?:${POSTGRES_SIGN}]){0,${MOST_SIGNS}}[~!@#%^&|\`?](?:${POSTGRES_SIGN}~!@#%^&|\`?]){0,${MOST_SIGNS}}`,
    `(?:${POSTGRES_SIGN}]){0,${MOST_SIGNS}}(?!--|\\/\\*)[*/<>=]`,
    '[^\\s\\w\'"`$\\u0080-\\uffff]',
  ].join('|'),
  'y',
);
const MYSQL_OPERATOR = /->>|->|\|\||&&|<=>|<>|<=|>=|!=|:=|<<|>>|[^\s\w'"`$\u0080-\uffff]/y;

const SQLITE: Lexis = {
  nestsComments: false,
  rules: [
    rule('comment', '-', /--[^\n]*/y),
    // SQLite lets the end of the text close a block comment, and does not nest them.
    rule('comment', '/', /\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))/y),
    rule('text', 'xX', /[xX]'[^']*'/y),
    PLAIN_TEXT,
    DOUBLE_NAME,
    BACKTICK_NAME,
    rule('quoted-name', '[', /\[[^\]]*\]/y),
    NUMBER,
    rule('parameter', '?', /\?\d*/y),
    rule('parameter', ':@$#', /[:@$#](?:(?!\s)[\w$\u0080-\uffff])+/y),
    rule('broken', `'"\`[`, /['"`[][\s\S]*/y),
  ],
  operator: OPERATOR,
};

const DUCKDB: Lexis = {
  nestsComments: true,
  rules: [
    DASH_COMMENT,
    BITS,
    ESCAPE_TEXT,
    UNCLOSED_ESCAPE,
    NATIONAL_TEXT,
    TAGGED_TEXT,
    UNCLOSED_TAG,
    PLAIN_TEXT,
    DOUBLE_NAME,
    NUMBER,
    DOLLAR_PARAMETER,
    MARK_PARAMETER,
    UNCLOSED,
  ],
  operator: SLASHED_OPERATOR,
};

const POSTGRES: Lexis = {
  nestsComments: true,
  rules: [
    DASH_COMMENT,
    BITS,
    ESCAPE_TEXT,
    UNCLOSED_ESCAPE,
    NATIONAL_TEXT,
    rule('text', 'uU', /[uU]&'(?:[^']|'')*'/y),
    rule('quoted-name', 'uU', /[uU]&"(?:[^"]|"")*"/y),
    TAGGED_TEXT,
    UNCLOSED_TAG,
    PLAIN_TEXT,
    DOUBLE_NAME,
    NUMBER,
    DOLLAR_PARAMETER,
    UNCLOSED,
  ],
  operator: POSTGRES_OPERATOR,
};

const MYSQL: Lexis = {
  nestsComments: false,
  rules: [
    // Two dashes begin a comment only before ASCII white space, a control character or the end; `5--1` is six.
    rule('comment', '-', /--(?![!-~\u0080-\uffff])[^\n]*/y),
    rule('comment', '#', /#[^\n]*/y),
    // `/*! … */` and `/*M! … */` are run by the server: they are no comments.
    rule('broken', '/', /\/\*M?!/y),
    BLOCK_COMMENT,
    OPEN_COMMENT,
    // A text after the name of its character set: _utf8mb4'…'.
    rule('text', '_', /_[a-z]+\d*[a-z0-9]*'(?:[^'\\]|\\[\s\S]|'')*'/iy),
    rule('text', 'xXbBnN', /(?:[xXbB]'[^']*'|[nN]'(?:[^'\\]|\\[\s\S]|'')*')/y),
    ESCAPED_TEXT,
    rule('word', '\\', /\\N(?![\w$])/y),
    rule('text', '"', /"(?:[^"\\]|\\[\s\S]|"")*"/y),
    BACKTICK_NAME,
    // A name may begin with digits: `2fa` is one, `1e5` is a number.
    rule(
      'word',
      DIGITS,
      /(?!\d+(?:[eE]\d+)?(?![\w$\u0080-\uffff]))(?!0[xXbB])\d+[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/y,
    ),
    rule('number', DIGITS, /0b[01]+/y),
    NUMBER,
    rule(
      'parameter',
      '@',
      new RegExp(
        `@@(?:(?:global|session|local)\\.)?${NAME}|@(?:[\\w$.\\u0080-\\uffff]+|'[^']*'|"[^"]*"|\`[^\`]*\`)`,
        'iy',
      ),
    ),
    MARK_PARAMETER,
    UNCLOSED,
  ],
  operator: MYSQL_OPERATOR,
};

const TRINO: Lexis = {
  nestsComments: false,
  rules: [
    DASH_COMMENT,
    BLOCK_COMMENT,
    OPEN_COMMENT,
    rule('text', 'xX', /[xX]'[^']*'/y),
    rule('text', 'uU', /[uU]&'(?:[^']|'')*'/y),
    PLAIN_TEXT,
    DOUBLE_NAME,
    BACKTICK_NAME,
    NUMBER,
    MARK_PARAMETER,
    PATTERN_END,
    UNCLOSED,
  ],
  operator: OPERATOR,
};

const SNOWFLAKE: Lexis = {
  nestsComments: false,
  rules: [
    DASH_COMMENT,
    rule('comment', '/', /\/\/[^\n\r]*/y),
    BLOCK_COMMENT,
    OPEN_COMMENT,
    rule('text', 'xX', /[xX]'[^']*'/y),
    rule('text', '$', /\$\$[\s\S]*?\$\$/y),
    ESCAPED_TEXT,
    DOUBLE_NAME,
    NUMBER,
    // $1 is a column of staged data, $name a variable, @stage a place of files.
    DOLLAR_PARAMETER,
    rule('parameter', '@', /@[~%\w./"-]+/y),
    MARK_PARAMETER,
    PATTERN_END,
    UNCLOSED,
  ],
  operator: OPERATOR,
};

const BIGQUERY: Lexis = {
  nestsComments: false,
  rules: [
    DASH_COMMENT,
    HASH_COMMENT,
    BLOCK_COMMENT,
    OPEN_COMMENT,
    rule(
      'text',
      `'"rRbB`,
      /(?:[rR][bB]?|[bB][rR]?)?(?:'''(?:[^\\]|\\[\s\S])*?'''|"""(?:[^\\]|\\[\s\S])*?""")/y,
    ),
    rule('broken', `'"rRbB`, /(?:[rR][bB]?|[bB][rR]?)?(?:'''|""")[\s\S]*/y),
    rule(
      'text',
      `'"rRbB`,
      /(?:[rR][bB]?|[bB][rR]?)?(?:'(?:[^'\\\n\r]|\\[\s\S])*'|"(?:[^"\\\n\r]|\\[\s\S])*")/y,
    ),
    rule('quoted-name', '`', /`(?:[^`\\\n]|\\[\s\S])+`/y),
    NUMBER,
    rule('parameter', '@', /@@?\w+/y),
    MARK_PARAMETER,
    UNCLOSED,
  ],
  operator: PIPED_OPERATOR,
};

export const LEXIS: Readonly<Record<DialectName, Lexis>> = {
  sqlite: SQLITE,
  duckdb: DUCKDB,
  postgres: POSTGRES,
  mysql: MYSQL,
  trino: TRINO,
  snowflake: SNOWFLAKE,
  bigquery: BIGQUERY,
};
