/** Cuts SQL text into tokens by the engine's own rules, so that comments and quotes mean what the engine thinks. */
import type { DialectName } from './dialect.ts';
import { LEXIS, type Lexis, type TokenKind, type TokenRule } from './lexer-rules.ts';

export type { TokenKind } from './lexer-rules.ts';

/** One token with its UTF-16 offsets; all tokens of a text, white space included, tile it. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SPACE = /\s+/y;
const WORD_TAIL = /(?:(?!\s)[\w$\u0080-\uffff])*/y;
const NAME_START = /(?!\s)[A-Za-z_\u0080-\uffff]/;

/** For each character below 128 the rules that may match there; looked up once a token. */
type Dispatch = readonly (readonly TokenRule[])[];

const DISPATCH = Object.fromEntries(
  Object.entries(LEXIS).map(([dialect, lexis]) => [dialect, dispatchOf(lexis)]),
) as Readonly<Record<DialectName, Dispatch>>;

function dispatchOf(lexis: Lexis): Dispatch {
  return Array.from({ length: 128 }, (_, code) =>
    lexis.rules.filter((rule) => rule.starts.includes(String.fromCharCode(code))),
  );
}

/** Tokens of `sql` in order; `lexSql('a--b', 'sqlite')` gives the word `a` and the comment `--b`. */
export function lexSql(sql: string, dialect: DialectName): readonly Token[] {
  const lexis = LEXIS[dialect];
  const dispatch = DISPATCH[dialect];
  const tokens: Token[] = [];
  let start = 0;
  while (start < sql.length) {
    const token = readToken(sql, start, lexis, dispatch);
    tokens.push(token);
    start = token.end;
  }
  return tokens;
}

/** The tokens that mean something: neither white space nor comments. */
export function significantTokens(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter((token) => token.kind !== 'space' && token.kind !== 'comment');
}

function readToken(sql: string, start: number, lexis: Lexis, dispatch: Dispatch): Token {
  const code = sql.charCodeAt(start);
  // The two commonest tokens by hand: one space, and marks that are never part of a longer operator.
  if (code === 32 && !isSpaceCode(sql.charCodeAt(start + 1))) return tokenTo('space', sql, start, start + 1);
  if (code === 40 || code === 41 || code === 44 || code === 59) {
    return tokenTo('operator', sql, start, start + 1);
  }
  if (code === 47 && lexis.nestsComments && sql.charCodeAt(start + 1) === 42) {
    return readNestedComment(sql, start);
  }
  for (const rule of dispatch[code] ?? []) {
    rule.pattern.lastIndex = start;
    if (rule.pattern.test(sql)) return tokenTo(rule.kind, sql, start, rule.pattern.lastIndex);
  }
  if (isNameStart(code, sql, start)) return tokenTo('word', sql, start, wordEnd(sql, start + 1));
  SPACE.lastIndex = start;
  if (SPACE.test(sql)) return tokenTo('space', sql, start, SPACE.lastIndex);
  lexis.operator.lastIndex = start;
  if (lexis.operator.test(sql)) return tokenTo('operator', sql, start, lexis.operator.lastIndex);
  return tokenTo('broken', sql, start, start + 1);
}

function tokenTo(kind: TokenKind, sql: string, start: number, end: number): Token {
  return { kind, text: sql.slice(start, end), start, end };
}

function isSpaceCode(code: number): boolean {
  return code <= 32 || code >= 128;
}

function isNameStart(code: number, sql: string, start: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
  return NAME_START.test(sql.charAt(start));
}

/** A word goes on over letters, digits, `_`, `$` and all that is beyond ASCII and no white space. */
function wordEnd(sql: string, from: number): number {
  let end = from;
  while (end < sql.length) {
    const code = sql.charCodeAt(end);
    const isPlain =
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 36;
    if (!isPlain) break;
    end += 1;
  }
  if (end >= sql.length || sql.charCodeAt(end) < 128) return end;
  WORD_TAIL.lastIndex = end;
  WORD_TAIL.test(sql);
  return WORD_TAIL.lastIndex;
}

/** Counts opening and closing marks, as DuckDB and PostgreSQL do. */
function readNestedComment(sql: string, start: number): Token {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let match = mark.exec(sql); match !== null; match = mark.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return tokenTo('comment', sql, start, mark.lastIndex);
  }
  return tokenTo('broken', sql, start, sql.length);
}
