/** Text to tree: one statement of a dialect, or a clear refusal with its place. */
import type { DialectName } from '../dialects/dialect.ts';
import { lexSql, significantTokens, type Token } from '../dialects/lex-sql.ts';
import type { SqlTree } from '../tree/node.ts';
import {
  describePassed,
  type PassedLimit,
  passedLimit,
  STATEMENT_LIMITS,
  type StatementLimits,
  sizeOfTree,
} from '../tree/statement-limits.ts';
import { parseExpression } from './expressions/parse-expression.ts';
import { parseDataType } from './expressions/parse-type.ts';
import { GRAMMARS } from './grammars.ts';
import { parseOrder } from './queries/parse-limits-and-order.ts';
import { parseCommand, parseQuery, parseQueryAfter } from './queries/parse-query.ts';
import { parseRelation } from './queries/parse-relation.ts';
import { parseWhere } from './queries/parse-select.ts';
import { joinEscapedNames } from './reader/escaped-names.ts';
import { type Parser, type Rules, startsQuery } from './reader/rules.ts';
import { type Draft, finishTree, SyntaxFault, TokenReader } from './reader/token-reader.ts';

/** Nodes below each other; long chains of operators make a tree deep. SQLite and DuckDB stop at 1,000 too. */
const MAX_TREE_DEPTH = 1_000;

export interface ParseError {
  readonly message: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  readonly offset: number;
  /** The line and, below it, a caret at the place. */
  readonly excerpt: string;
  /** What could have stood there, as keywords and kinds; empty when the trouble is another. */
  readonly expected: readonly string[];
  /** Set when nothing is wrong but the size. */
  readonly passed?: PassedLimit;
}

export type ParseResult =
  | { readonly ok: true; readonly tree: SqlTree }
  | { readonly ok: false; readonly error: ParseError };

const RULES: Rules = {
  expression: parseExpression,
  query: parseQuery,
  queryAfter: parseQueryAfter,
  relation: parseRelation,
  dataType: parseDataType,
  order: parseOrder,
  where: parseWhere,
};

/**
 * Parses one statement. A statement that is no query gives a tree of one `Command` node. Wrong SQL, several
 * statements, too long and too deep SQL come back as `error`, never as an exception.
 */
export function parse(
  text: string,
  dialect: DialectName,
  limits: StatementLimits = STATEMENT_LIMITS,
): ParseResult {
  const tooLong = passedLimit({ characters: text.length }, limits);
  if (tooLong !== undefined) return refuseSize(text, tooLong);
  const tokens = lexSql(text, dialect);
  const significant = significantTokens(tokens);
  if (significant.length === 0) return refuse(text, 0, 'there is no statement');
  const broken = significant.find((token) => token.kind === 'broken');
  if (broken) return refuse(text, broken.start, brokenMessage(broken));
  const tooMany = passedLimit({ tokens: significant.length }, limits);
  if (tooMany !== undefined) return refuseSize(text, tooMany);
  try {
    const read = new TokenReader(joinEscapedNames(significant), GRAMMARS[dialect], text.length);
    const parser: Parser = Object.assign(read, { rules: RULES });
    const root = parseStatement(parser);
    const nodes = finishTree(root, MAX_TREE_DEPTH);
    if (nodes === undefined) return refuse(text, 0, tooDeep());
    const tooLarge = passedLimit(sizeOfTree(nodes), limits);
    if (tooLarge !== undefined) return refuseSize(text, tooLarge);
    return { ok: true, tree: { text, dialect, tokens, root: nodes[0] as SqlTree['root'], nodes } };
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    return refuse(text, error.offset, error.message, error.expected);
  }
}

function tooDeep(): string {
  return `more than ${MAX_TREE_DEPTH} operators are chained; use IN (…) for long lists`;
}

function parseStatement(parser: Parser): Draft {
  const isQuery =
    parser.key === '(' || startsQuery(parser) || parser.key === 'WITH' || isTableStatement(parser);
  const isOther = !isQuery && parser.kind === 'word';
  if (!isQuery && !isOther) throw parser.fault('SELECT', 'WITH');
  const root = isOther ? parseCommand(parser) : parseQuery(parser);
  while (parser.accept(';'));
  if (!parser.isAtEnd) {
    if (parser.tokenAhead(-1)?.text === ';')
      throw new SyntaxFault('there is more than one statement', parser.start);
    throw parser.fault('the end of the statement');
  }
  return root;
}

function isTableStatement(parser: Parser): boolean {
  return parser.key === 'TABLE' && parser.grammar.tableStatement;
}

function brokenMessage(token: Token): string {
  if (/^\/\*M?!/.test(token.text)) return 'a comment that the server would run is not allowed';
  if (token.text.startsWith('/*')) return 'a comment is opened and not closed';
  const quote = /^[eE]?(['"`[])/.exec(token.text)?.[1];
  if (quote !== undefined) return `a ${quote} is opened and not closed`;
  const tag = /^\$\w*\$/.exec(token.text)?.[0];
  if (tag !== undefined) return `a text is opened with ${tag.slice(0, 40)} and not closed`;
  return `unexpected character ${JSON.stringify(token.text[0])}`;
}

function refuse(
  text: string,
  offset: number,
  message: string,
  expected: readonly string[] = [],
): ParseResult {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - (before.lastIndexOf('\n') + 1) + 1;
  const excerpt = excerptAt(text, offset);
  return { ok: false, error: { message, line, column, offset, excerpt, expected } };
}

function refuseSize(text: string, passed: PassedLimit): ParseResult {
  const refused = refuse(text, 0, describePassed(passed));
  return refused.ok ? refused : { ok: false, error: { ...refused.error, passed } };
}

/** The line of the place, cut to 60 characters each side, with a caret below. */
function excerptAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = text.indexOf('\n', offset);
  const from = Math.max(lineStart, offset - 60);
  const to = Math.min(lineEnd === -1 ? text.length : lineEnd, offset + 60);
  return `${text.slice(from, to)}\n${' '.repeat(offset - from)}^`;
}
