/** What stands between operators: literals, names, calls, brackets, CASE; and what may hang on them. */
import type { Token } from '../../dialects/lex-sql.ts';
import { LEVEL } from '../reader/grammar.ts';
import { type Parser, startsQuery } from '../reader/rules.ts';
import { as, type Draft } from '../reader/token-reader.ts';
import { parseCall } from './parse-call.ts';
import { parseCallArguments } from './parse-call-arguments.ts';
import {
  parseBrackets,
  parseCase,
  parseInterval,
  parseLet,
  parseSquareBrackets,
  parseStructBraces,
} from './parse-composite.ts';
import { isName, parseAnyName, parseText, parseTextName, splitQuotedName } from './parse-names.ts';

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

/** What may hang on an operand: `::type`, `[1]`, `.field`, `:path`, `(args)`; each makes the operand its child. */
function parsePostfix(parser: Parser, operand: Draft): Draft {
  let left = operand;
  for (;;) {
    const next = parseOne(parser, left);
    if (next === undefined) return left;
    left = next;
  }
}

function parseOne(parser: Parser, left: Draft): Draft | undefined {
  switch (parser.key) {
    case '::':
      parser.advance();
      return parser.node(
        'Cast',
        left.start,
        [as('this', left), as('to', parser.rules.dataType(parser))],
        undefined,
        {
          operator: '::',
        },
      );
    case '[':
      return parseSubscript(parser, left);
    case '.':
      return parseField(parser, left);
    case '(':
      return parseOuterMark(parser, left);
    case ':':
      return parser.grammar.colonPath ? parsePath(parser, left) : undefined;
    default:
      return undefined;
  }
}

/** Whether Snowflake's `(+)` stands that many places on; between the brackets of a call it would be no value. */
function isOuterMark(parser: Parser, distance: number): boolean {
  if (!parser.grammar.connectBy) return false;
  return ['(', '+', ')'].every((key, index) => parser.ahead(distance + index) === key);
}

/** `a.b(+)`: rows of the other table stay though no row of this one fits. */
function parseOuterMark(parser: Parser, left: Draft): Draft | undefined {
  const isColumn = left.type === 'Column' && left.children.at(-1)?.type === 'Identifier';
  if (!isColumn || !isOuterMark(parser, 0)) return undefined;
  parser.move(parser.at + 3);
  return parser.node('UnaryOperator', left.start, [as('this', left)], undefined, { operator: '(+)' });
}

/** `a[1]`, `a[1:2]`, `a[:]`. */
function parseSubscript(parser: Parser, left: Draft): Draft {
  parser.expect('[');
  const items = parser.list(() => as('expressions', parseIndex(parser)));
  parser.expect(']');
  return parser.node('Bracket', left.start, [as('this', left), ...items]);
}

function parseIndex(parser: Parser): Draft {
  const { start } = parser;
  const from = parser.key === ':' ? undefined : parser.rules.expression(parser);
  if (parser.key !== ':') return from ?? failIndex(parser);
  parser.advance();
  const parts = from === undefined ? [] : [as('this', from)];
  // DuckDB writes an open end before a step as `[1:-:2]`.
  const isOpenEnd = parser.isAt('-') && (parser.ahead(1) === ':' || parser.ahead(1) === ']');
  if (isOpenEnd) parser.advance();
  else if (!parser.isAt(']') && !parser.isAt(':'))
    parts.push(as('expression', parser.rules.expression(parser)));
  if (parser.accept(':')) parts.push(as('step', parser.rules.expression(parser)));
  return parser.node('Slice', start, parts);
}

function failIndex(parser: Parser): never {
  throw parser.fault('an index');
}

/** `(composite).field`, `f(x).field`, `a[1].field`, `(t).*`, and DuckDB's `text.upper()`. */
function parseField(parser: Parser, left: Draft): Draft | undefined {
  if (parser.ahead(1) === '*') {
    parser.advance();
    parser.advance();
    return parser.node('Dot', left.start, [
      as('this', left),
      as('expression', parser.node('Star', parser.end - 1, [])),
    ]);
  }
  parser.advance();
  const { start } = parser;
  if (parser.kind === 'parameter') {
    // Snowflake: `t.$1`.
    const place = as('expression', parser.rules.expression(parser, LEVEL.postfix));
    return parser.node('Dot', left.start, [as('this', left), place]);
  }
  const name = parseAnyName(parser, 'a field');
  if (parser.key !== '(') return parser.node('Dot', left.start, [as('this', left), as('expression', name)]);
  const call = parser.node('Anonymous', start, [], name.value);
  call.children = [...parseCallArguments(parser)];
  for (const argument of call.children) if (argument.role === 'this') argument.role = 'expressions';
  call.end = parser.end;
  call.flags = { call: 'method' };
  return parser.node('Dot', left.start, [as('this', left), as('expression', call)]);
}

/** Snowflake: `payload:items[0].price`; the path is one node, its text the value. */
function parsePath(parser: Parser, left: Draft): Draft | undefined {
  if (parser.kindAhead(1) !== 'word' && parser.kindAhead(1) !== 'quoted-name') return undefined;
  parser.advance();
  const { start } = parser;
  const parts = [parser.advance().text];
  const inside: Draft[] = [];
  for (;;) {
    const isNameAhead = parser.kindAhead(1) === 'word' || parser.kindAhead(1) === 'quoted-name';
    if ((parser.key === '.' || parser.key === ':') && isNameAhead) {
      parts.push(parser.advance().text, parser.advance().text);
    } else if (parser.key === '[') {
      parser.advance();
      const index = parser.rules.expression(parser);
      parser.expect(']');
      parts.push(`[${index.value ?? ''}]`);
      if (index.type !== 'Literal') inside.push(as('expressions', index));
    } else break;
  }
  const path = parser.node('JSONPath', start, inside, parts.join(''));
  return parser.node('JSONExtract', left.start, [as('this', left), as('expression', path)], undefined, {
    operator: ':',
  });
}

// `DATE '2024-01-01'`, `TIMESTAMP '…'`, `JSON '…'`: a text with its type before it, a Cast in the tree.

const TYPES: ReadonlySet<string> = new Set(
  `DATE TIME TIMESTAMP TIMESTAMPTZ TIMETZ DATETIME JSON JSONB UUID INET NUMERIC BIGNUMERIC DECIMAL BIGDECIMAL RANGE
  POINT BOX CIRCLE LSEG PATH POLYGON LINE CIDR MACADDR INT4RANGE DATERANGE BOOLEAN BOOL CHAR VARCHAR DOUBLE REAL
  TIMESTAMP_NTZ TIMESTAMP_LTZ TIMESTAMP_TZ BLOB IPADDRESS BIGINT INTEGER SMALLINT TINYINT REGCLASS INT FLOAT
  BYTEA OID TEXT`.split(/\s+/),
);
/** Types of the engines in which a text behind a name is never its alias. */
const MORE_TYPES: ReadonlySet<string> = new Set(
  `TIMESTAMP_NS TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_US UBIGINT UINTEGER USMALLINT UTINYINT HUGEINT UHUGEINT VARINT STRING
  HYPERLOGLOG BPCHAR FLOAT8 FLOAT4 INT8 INT4 INT2 TIMETZ VARBINARY MONEY XML BIT VARBIT NAME TSVECTOR TSQUERY MACADDR8 JSONPATH
  INT8RANGE NUMRANGE TSRANGE TSTZRANGE`.split(/\s+/),
);
const WITH_PRECISION: ReadonlySet<string> = new Set(['TIMESTAMP', 'TIME', 'DECIMAL', 'CHAR', 'VARCHAR']);

/** A type word and then a text; `timestamp with time zone '…'` too. */
function isTypedLiteral(parser: Parser): boolean {
  // BigQuery: `RANGE<DATE> '[2014-01-01, 2015-01-01)'`.
  if (parser.looksAt('RANGE', '<') && parser.ahead(3) === '>') return parser.kindAhead(4) === 'text';
  // In PostgreSQL any name before a text is a type, which the guard looks up.
  const { ownOperators, reserved, noAlias, textAlias } = parser.grammar;
  const isAnyName =
    ownOperators && parser.kind === 'word' && !reserved.has(parser.key) && !noAlias.has(parser.key);
  const isType = TYPES.has(parser.key) || isAnyName || (!textAlias && MORE_TYPES.has(parser.key));
  if (!isType) return false;
  if (parser.kindAhead(1) === 'text') return true;
  // `double precision '1.5'`, `bit varying '101'`
  if (['PRECISION', 'VARYING'].includes(parser.ahead(1))) return parser.kindAhead(2) === 'text';
  if (!WITH_PRECISION.has(parser.key) && !isAnyName) return false;
  const isZoned = parser.ahead(1) === 'WITH' || parser.ahead(1) === 'WITHOUT';
  if (isZoned)
    return parser.ahead(2) === 'TIME' && parser.ahead(3) === 'ZONE' && parser.kindAhead(4) === 'text';
  return (
    parser.ahead(1) === '(' &&
    parser.kindAhead(2) === 'number' &&
    parser.ahead(3) === ')' &&
    parser.kindAhead(4) === 'text'
  );
}

function parseTypedLiteral(parser: Parser): Draft {
  const { start } = parser;
  const to = as('to', parser.rules.dataType(parser));
  const text = as('this', parseText(parser));
  return parser.node('Cast', start, [to, text], undefined, { operator: 'literal' });
}
