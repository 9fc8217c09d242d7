/** What stands between operators: literals, names, calls, brackets, CASE; and what may hang on them. */
import type { Token } from '../lex-sql.ts';
import { as, type Draft } from './draft.ts';
import { LEVEL } from './grammar.ts';
import { parseCall } from './parse-call.ts';
import {
  parseBrackets,
  parseCase,
  parseInterval,
  parseLet,
  parseSquareBrackets,
  parseStructBraces,
} from './parse-composite.ts';
import { isName, parseAnyName, parseTextName, splitQuotedName } from './parse-names.ts';
import { isOuterMark, parsePostfix } from './parse-postfix.ts';
import { parseText } from './parse-text.ts';
import { isTypedLiteral, parseTypedLiteral } from './parse-typed-literal.ts';
import type { Parser } from './rules.ts';
import { startsQuery } from './starts-query.ts';

export function parseOperand(parser: Parser): Draft {
  return parsePostfix(parser, parsePrimary(parser));
}

function parsePrimary(parser: Parser): Draft {
  const { token } = parser;
  switch (token?.kind) {
    case 'number':
      return parseNumber(parser, token);
    case 'text':
      // SQLite takes a text for the name of a table before a dot.
      return parser.ahead(1) === '.' && parser.grammar.textNames
        ? parseDotted(parser, token.start, [parseTextName(parser)])
        : parseText(parser);
    case 'parameter':
      return parseParameter(parser, token);
    case 'quoted-name':
      return parseNameOrCall(parser);
    case 'word':
      return parseWord(parser);
    case 'operator':
      return parseSign(parser);
    default:
      throw parser.fault('an expression');
  }
}

function parseNumber(parser: Parser, token: Token): Draft {
  parser.advance();
  const type = /^0[xX]/.test(token.text) ? 'HexString' : 'Literal';
  return parser.node(type, token.start, [], token.text);
}

function parseParameter(parser: Parser, token: Token): Draft {
  parser.advance();
  if (parser.grammar.placesInFrom && /^\$\d+$/.test(token.text))
    return parser.node('PositionalReference', token.start, [], token.text.slice(1));
  const isVariable = token.text.startsWith('@');
  const node = parser.node(isVariable ? 'Parameter' : 'Placeholder', token.start, [], token.text);
  if (!isVariable || !parser.accept(':=')) return node;
  return parser.node('PropertyEQ', token.start, [
    as('this', node),
    as('expression', parser.rules.expression(parser)),
  ]);
}

function parseSign(parser: Parser): Draft {
  const { start } = parser;
  switch (parser.key) {
    case '(':
      return parseBrackets(parser);
    case '*':
      parser.advance();
      if (parser.isAt('COLUMNS') && parser.ahead(1) === '(') return parseUnpacked(parser, start);
      return parser.node('Star', start, []);
    case '[':
      if (parser.grammar.bracketArrays) return parseSquareBrackets(parser, start);
      break;
    case '{':
      if (parser.grammar.bracketArrays) return parseStructBraces(parser);
      if (parser.grammar.mysqlWords) return parseEscapeBraces(parser, start);
      break;
    case '#':
      if (parser.grammar.duckdbForms && /^\d+$/.test(parser.tokenAhead(1)?.text ?? '')) {
        parser.advance();
        return parser.node('PositionalReference', start, [], parser.advance().text);
      }
  }
  throw parser.fault('an expression');
}

/** MySQL, as ODBC writes it: `{d '2024-01-31'}`, `{t '10:00'}`, `{ts '…'}`, `{fn NOW()}`: what stands inside. */
function parseEscapeBraces(parser: Parser, start: number): Draft {
  parser.expect('{');
  if (!['D', 'T', 'TS', 'FN'].includes(parser.key)) throw parser.fault('d', 't', 'ts', 'fn');
  const isCall = parser.advance().text.toUpperCase() === 'FN';
  if (!isCall && parser.kind !== 'text') throw parser.fault('a text');
  const inside = as('this', parser.rules.expression(parser));
  parser.expect('}');
  return parser.node('Paren', start, [inside]);
}

/** DuckDB: `COALESCE(*COLUMNS(…))`. */
function parseUnpacked(parser: Parser, start: number): Draft {
  const columns = as('this', parser.rules.expression(parser, LEVEL.postfix));
  return parser.node('UnaryOperator', start, [columns], undefined, { operator: '*' });
}

/** MySQL: the name of a character set before a text, `_utf8mb4 'abc'`. */
const CHARSETS: ReadonlySet<string> = new Set(
  `_ASCII _BIG5 _BINARY _CP1250 _CP1251 _CP1252 _CP1256 _CP1257 _GB2312 _GBK _GB18030 _LATIN1 _LATIN2 _LATIN5 _LATIN7
  _SJIS _UCS2 _UJIS _UTF16 _UTF16LE _UTF32 _UTF8 _UTF8MB3 _UTF8MB4`.split(/\s+/),
);

/** Words that begin something of their own; all others are names. */
function parseWord(parser: Parser): Draft {
  const { start, key } = parser;
  switch (key) {
    case 'NULL':
      parser.advance();
      return parser.node('Null', start, []);
    case 'TRUE':
    case 'FALSE':
      if (parser.ahead(1) === '(' || parser.ahead(1) === '.') break;
      parser.advance();
      return parser.node('Boolean', start, [], key.toLowerCase());
    case 'CASE':
      return parseCase(parser);
    case 'INTERVAL': {
      const interval = parseInterval(parser);
      if (interval !== undefined) return interval;
      break;
    }
    case 'WITH':
      if (parser.grammar.pipes && parser.ahead(1) === '(') return parseLet(parser);
      break;
    case 'PRIOR':
    case 'CONNECT_BY_ROOT':
      if (parser.grammar.connectBy && parser.kindAhead(1) === 'word') return parsePrior(parser, key);
      break;
    case 'RUNNING':
    case 'FINAL':
      if (isSemantics(parser)) return parsePrior(parser, key);
      break;
    case '\\N':
      parser.advance();
      return parser.node('Null', start, []);
    case 'COLLATION':
      if (parser.grammar.onlyTables && parser.ahead(1) === 'FOR' && parser.ahead(2) === '(')
        return parseCollationFor(parser, start);
      break;
    case 'BINARY':
      if (parser.grammar.mysqlWords && parser.ahead(1) !== '(') {
        parser.advance();
        return parser.node(
          'UnaryOperator',
          start,
          [as('this', parser.rules.expression(parser, LEVEL.unary))],
          undefined,
          {
            operator: 'BINARY',
          },
        );
      }
  }
  if (parser.grammar.mysqlWords && CHARSETS.has(key) && parser.kindAhead(1) === 'text') {
    parser.advance();
    return { ...parseText(parser), start };
  }
  if (startsQuery(parser) && parser.ahead(-1) === '(') return parser.rules.query(parser);
  if (isTypedLiteral(parser)) return parseTypedLiteral(parser);
  return parseNameOrCall(parser);
}

/** `FINAL LAST(a)` over the rows of a match; before any other word FINAL is a name. */
function isSemantics(parser: Parser): boolean {
  const { reserved, noAlias, infix, rowPatterns } = parser.grammar;
  const next = parser.ahead(1);
  const isCalled = parser.kindAhead(1) === 'word' && parser.ahead(2) === '(';
  return rowPatterns && isCalled && !reserved.has(next) && !noAlias.has(next) && !infix.has(next);
}

/** Snowflake's CONNECT BY: the row before, the row at the root; RUNNING and FINAL over the rows of a match. */
function parsePrior(parser: Parser, operator: string): Draft {
  const { start } = parser;
  parser.advance();
  const operand = as('this', parser.rules.expression(parser, LEVEL.postfix));
  return parser.node('UnaryOperator', start, [operand], undefined, { operator });
}

/** PostgreSQL: `COLLATION FOR (a)`. */
function parseCollationFor(parser: Parser, start: number): Draft {
  parser.expect('COLLATION', 'FOR', '(');
  const operand = as('this', parser.rules.expression(parser));
  parser.expect(')');
  return parser.node('UnaryOperator', start, [operand], undefined, { operator: 'COLLATION FOR' });
}

/** `a`, `t.a`, `s.t.a`, `f(x)`, `s.f(x)`, `t.*`. */
function parseNameOrCall(parser: Parser): Draft {
  const { start, token } = parser;
  const isMarked = isOuterMark(parser, 1) && !parser.grammar.bareCalls.has(parser.key);
  if (parser.kind === 'word' && !isMarked) {
    const call = parseCall(parser, start);
    if (call !== undefined) return call;
  } else if (parser.ahead(1) === '(' && !isMarked) {
    return parseCall(parser, start) ?? fail(parser);
  }
  if (!isName(parser)) throw parser.fault('an expression');
  if (parser.grammar.dottedQuotes && token?.kind === 'quoted-name' && token.text.includes('.')) {
    parser.advance();
    return parseDotted(parser, start, [...splitQuotedName(parser, token)]);
  }
  return parseDotted(parser, start, [parseAnyName(parser)]);
}

function fail(parser: Parser): never {
  throw parser.fault('a call');
}

const SLOTS = ['this', 'table', 'db', 'catalog'] as const;

/** After a dot; SQLite takes a text for a name there. */
function isNameAhead(parser: Parser): boolean {
  const kind = parser.kindAhead(1);
  return kind === 'word' || kind === 'quoted-name' || (kind === 'text' && parser.grammar.textNames);
}

/** Names joined by dots up to four; what comes deeper is access into a value. */
function parseDotted(parser: Parser, start: number, parts: Draft[]): Draft {
  while (parser.key === '.' && parts.length < 4) {
    if (parser.ahead(1) === '*') {
      parser.advance();
      parser.advance();
      parts.push(parser.node('Star', parser.end - 1, []));
      break;
    }
    if (!isNameAhead(parser)) break;
    // DuckDB's `name.upper()` calls on a value; elsewhere a dot before a call names its schema.
    if (parser.ahead(2) === '(' && parser.grammar.duckdbForms) break;
    if (parser.ahead(2) === '(' && !isOuterMark(parser, 2)) {
      const call = parseCall(parser, start, parts);
      if (call !== undefined) return call;
    }
    parser.advance();
    parts.push(parser.kind === 'text' ? parseTextName(parser) : parseAnyName(parser, 'a column'));
  }
  parts.forEach((part, index) => {
    as(SLOTS[parts.length - 1 - index] ?? 'this', part);
  });
  return parser.node('Column', start, parts);
}
