/** Text to tree. The parser beneath is hidden here; what it says wrong is put right: place, limits, its death. */
import type { DialectName } from './dialect.ts';
import { DIALECTS } from './dialects.ts';
import { lexSql, significantTokens, type Token } from './lex-sql.ts';
import { findExcess, MAX_SQL_LENGTH } from './parse-limits.ts';
import { loadParser } from './parser-instance.ts';
import type { Span } from './span.ts';
import { field, type Identifier } from './syntax-tree.ts';

/** SQL that has been parsed: the text, its tokens and the tree of each statement. */
export interface ParsedQuery {
  readonly text: string;
  readonly dialect: DialectName;
  readonly tokens: readonly Token[];
  /** One tree a statement, as the parser beneath gives it; read it through `syntax-tree.ts`. */
  readonly statements: readonly unknown[];
  /** Start offset of each line of the text, for the places the tree carries. */
  readonly lineStarts: readonly number[];
}

export interface ParseError {
  readonly message: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  readonly offset: number;
  /** The line and, below it, a caret at the place. */
  readonly excerpt: string;
}

export type ParseResult =
  | { readonly ok: true; readonly query: ParsedQuery }
  | { readonly ok: false; readonly error: ParseError };

/** Parses SQL of the dialect; wrong SQL, too long and too deep SQL come back as `error`, never as an exception. */
export async function parse(text: string, dialect: DialectName): Promise<ParseResult> {
  if (text.length > MAX_SQL_LENGTH) {
    return refuse(text, 0, `the SQL has ${text.length} characters, more than the ${MAX_SQL_LENGTH} allowed`);
  }
  const tokens = lexSql(text, dialect);
  const significant = significantTokens(tokens);
  if (significant.length === 0) return refuse(text, 0, 'there is no statement');
  const broken = significant.find((token) => token.kind === 'broken');
  if (broken) return refuse(text, broken.start, brokenMessage(broken));
  const excess = findExcess(significant);
  if (excess) return refuse(text, excess.offset, excess.message);

  const parser = await loadParser();
  const raw = parser.parse(blankComments(text, tokens), DIALECTS[dialect].parser);
  switch (raw.kind) {
    case 'parsed':
      return {
        ok: true,
        query: { text, dialect, tokens, statements: raw.statements, lineStarts: lineStartsOf(text) },
      };
    case 'refused': {
      const { message, offset } = readMessage(raw.message, text, significant);
      return refuse(text, offset, message);
    }
    case 'died':
      return refuse(text, 0, 'the statement is nested too deep for the parser');
  }
}

/** Where an identifier of the tree stands in the text; absent when the parser did not keep its place. */
export function identifierSpan(query: ParsedQuery, identifier: Identifier): Span | undefined {
  const span = field(identifier.node, 'span');
  const start = offsetOf(query, field(span, 'start'));
  const end = offsetOf(query, field(span, 'end'));
  return start === undefined || end === undefined || end <= start ? undefined : { start, end };
}

function offsetOf(query: ParsedQuery, place: unknown): number | undefined {
  const line = Number(field(place, 'line'));
  const column = Number(field(place, 'column'));
  if (!Number.isInteger(line) || !Number.isInteger(column) || line < 1 || column < 1) return undefined;
  return offsetAt(query.text, query.lineStarts, line, column);
}

/** The parser counts columns in code points; a character beyond the basic plane takes two of our units. */
function offsetAt(text: string, lineStarts: readonly number[], line: number, column: number): number {
  let offset = lineStarts[line - 1] ?? text.length;
  for (let left = column - 1; left > 0 && offset < text.length; left -= 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Comments become spaces of the same length: what is a comment is the engine's matter, not the parser's. */
function blankComments(text: string, tokens: readonly Token[]): string {
  if (!tokens.some((token) => token.kind === 'comment')) return text;
  const blank = (token: Token): string =>
    Array.from(token.text, (character) => (character === '\n' ? '\n' : ' ')).join('');
  return tokens.map((token) => (token.kind === 'comment' ? blank(token) : token.text)).join('');
}

function brokenMessage(token: Token): string {
  if (token.text.startsWith('/*')) return 'a comment is opened and not closed';
  const quote = /^[eE]?(['"`[])/.exec(token.text)?.[1];
  if (quote !== undefined) return `a ${quote} is opened and not closed`;
  return `unexpected character ${JSON.stringify(token.text[0])}`;
}

/** Takes the place out of the parser's sentence; without one it means the end of the text. */
function readMessage(
  raw: string,
  text: string,
  significant: readonly Token[],
): { message: string; offset: number } {
  const place = / at Line: (\d+), Column: (\d+)/.exec(raw);
  const message = raw.replace(/^sql parser error: /, '').replace(/ at Line: \d+, Column: \d+.*$/s, '');
  if (place)
    return { message, offset: offsetAt(text, lineStartsOf(text), Number(place[1]), Number(place[2])) };
  const isDepth = message.includes('recursion limit');
  return {
    message: isDepth ? 'the statement is nested too deep' : message.replace('EOF', 'the end of the text'),
    offset: isDepth ? 0 : (significant.at(-1)?.end ?? text.length),
  };
}

function refuse(text: string, offset: number, message: string): ParseResult {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - (before.lastIndexOf('\n') + 1) + 1;
  const excerpt = excerptAt(text, offset);
  return { ok: false, error: { message, line, column, offset, excerpt } };
}

/** The line of the place, cut to 60 characters each side, with a caret below. */
function excerptAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = text.indexOf('\n', offset);
  const from = Math.max(lineStart, offset - 60);
  const to = Math.min(lineEnd === -1 ? text.length : lineEnd, offset + 60);
  return `${text.slice(from, to)}\n${' '.repeat(offset - from)}^`;
}
