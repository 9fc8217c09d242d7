/** One argument of a call. */

import { type Parser, startsQuery } from '../reader/rules.ts';
import { as, type Draft } from '../reader/token-reader.ts';
import { parseAnyName, parseStarChanges } from './parse-names.ts';
import { SHORT_UNITS, UNITS } from './parse-type.ts';

export interface Takes {
  /** A bare unit of time may stand here: `DATEDIFF(day, a, b)`. */
  readonly takesUnit: boolean;
  /** Its short forms too: `DATEDIFF(d, a, b)`. */
  readonly takesShortUnit?: boolean;
  /** `x -> …` is a function. */
  readonly takesLambda: boolean;
}

const SET_WORDS: ReadonlySet<string> = new Set(['UNION', 'INTERSECT', 'EXCEPT', 'MINUS']);

export function parseArgument(
  parser: Parser,
  { takesUnit, takesShortUnit = false, takesLambda }: Takes,
): Draft {
  const { start } = parser;
  if (parser.kind === 'word') {
    const unit = takesUnit ? parseUnit(parser, takesShortUnit) : undefined;
    if (unit !== undefined) return unit;
    const lambda = takesLambda ? parseLambda(parser) : parsePythonLambda(parser);
    if (lambda !== undefined) return lambda;
    const named = parseNamedArgument(parser) ?? parseMarkedArgument(parser);
    if (named !== undefined) return named;
  }
  if (parser.key === '*' && parser.ahead(1) !== 'COLUMNS') return parseStarArgument(parser);
  // JSON_OBJECT(KEY 'a' VALUE b)
  if (parser.key === 'KEY' && parser.kindAhead(1) === 'text') parser.advance();
  if (startsQuery(parser)) return parser.rules.query(parser);
  const first = parser.rules.expression(parser);
  const value =
    first.type === 'Subquery' && SET_WORDS.has(parser.key) ? parser.rules.queryAfter(parser, first) : first;
  acceptJsonFormat(parser);
  if (parser.key === 'AS') {
    parser.advance();
    // MySQL: `COLUMN_GET(a, 'b' AS CHAR(10))`, `WEIGHT_STRING(a AS CHAR(4))`.
    const isTyped = parser.grammar.mysqlWords && parser.kind === 'word' && parser.ahead(1) !== ')';
    if (isTyped)
      return parser.node('Alias', start, [as('this', value), as('alias', parser.rules.dataType(parser))]);
    return parser.node('Alias', start, [as('this', value), as('alias', parseAnyName(parser))]);
  }
  // JSON_OBJECT('key': value) and JSON_OBJECT('key' VALUE value).
  if (parser.key === ':' || parser.key === 'VALUE') {
    parser.advance();
    const pair = [as('this', value), as('expression', parser.rules.expression(parser))];
    acceptJsonFormat(parser);
    return parser.node('JSONKeyValue', start, pair);
  }
  return value;
}

/** `*`, `* EXCLUDE (a)` as a value. */
export function parseStarArgument(parser: Parser): Draft {
  const { start } = parser;
  parser.advance();
  const changes = parseStarChanges(parser);
  return parser.node('Star', start, changes);
}

/** `day`, `WEEK(MONDAY)`; only when nothing but a comma or bracket follows. */
function parseUnit(parser: Parser, takesShortUnit: boolean): Draft | undefined {
  const isShort = takesShortUnit && parser.ahead(-1) === '(' && SHORT_UNITS.has(parser.key);
  if (!UNITS.has(parser.key) && !isShort) return undefined;
  const { start } = parser;
  // LAST_DAY(day) has a column of that name: a unit is never the only argument.
  const isOnly = parser.ahead(-1) === '(' && parser.ahead(1) === ')';
  if (!isOnly && (parser.ahead(1) === ',' || parser.ahead(1) === ')')) {
    const { text } = parser.advance();
    return parser.node('Var', start, [], text);
  }
  if (parser.key !== 'WEEK' || parser.ahead(1) !== '(' || parser.ahead(3) !== ')') return undefined;
  const day = parser.tokenAhead(2)?.text ?? '';
  parser.move(parser.at + 4);
  return parser.node('Var', start, [], `WEEK(${day})`);
}

/** `x -> x + 1`. */
function parseLambda(parser: Parser): Draft | undefined {
  // Snowflake: `x INT -> x + 1`.
  const isTyped = parser.grammar.connectBy && parser.kindAhead(1) === 'word' && parser.ahead(2) === '->';
  if (parser.ahead(1) !== '->' && !isTyped) return parsePythonLambda(parser);
  const { start } = parser;
  const name = as('expressions', parseAnyName(parser));
  if (isTyped) parser.advance();
  parser.expect('->');
  return parser.node('Lambda', start, [name, as('this', parser.rules.expression(parser))]);
}

/** DuckDB: `lambda x, y: x + y`. */
function parsePythonLambda(parser: Parser): Draft | undefined {
  if (parser.key !== 'LAMBDA' || parser.kindAhead(1) !== 'word') return undefined;
  if (parser.ahead(2) !== ':' && parser.ahead(2) !== ',') return undefined;
  const { start } = parser;
  parser.advance();
  const names = parser.list(() => as('expressions', parseAnyName(parser)));
  parser.expect(':');
  return parser.node('Lambda', start, [...names, as('this', parser.rules.expression(parser))]);
}

/** PostgreSQL's `VARIADIC list`; `TABLE t` and `MODEL m` as arguments of table functions. */
function parseMarkedArgument(parser: Parser): Draft | undefined {
  const { start, key } = parser;
  const isNameAhead = parser.kindAhead(1) === 'word' || parser.kindAhead(1) === 'quoted-name';
  if (!isNameAhead || !['VARIADIC', 'TABLE', 'MODEL'].includes(key)) return undefined;
  parser.advance();
  if (key === 'TABLE') return parser.rules.relation(parser);
  const operand = as('this', parser.rules.expression(parser));
  return parser.node('UnaryOperator', start, [operand], undefined, { operator: key });
}

/** `name => value`, `name := value`. */
function parseNamedArgument(parser: Parser): Draft | undefined {
  if (parser.ahead(1) !== '=>' && parser.ahead(1) !== ':=') return undefined;
  const { start } = parser;
  const name = as('this', parseAnyName(parser));
  parser.advance();
  const value = as('expression', parseArgument(parser, { takesUnit: false, takesLambda: true }));
  return parser.node('Kwarg', start, [name, value]);
}

/** What ends the calls and columns of SQL/JSON: words alone. */
export const OCCASIONS: ReadonlySet<string> = new Set(['EMPTY', 'ERROR', 'NULL']);

const JSON_ON: ReadonlySet<string> = new Set([
  'NULL',
  'ABSENT',
  'ERROR',
  'EMPTY',
  'TRUE',
  'FALSE',
  'UNKNOWN',
]);
const WRAPPER_WORDS: ReadonlySet<string> = new Set(
  'WITH WITHOUT CONDITIONAL UNCONDITIONAL ARRAY WRAPPER KEEP OMIT QUOTES UNIQUE KEYS OBJECT'.split(' '),
);

/** SQL/JSON: `FORMAT JSON ENCODING UTF8` behind a value or a type. */
export function acceptJsonFormat(parser: Parser): void {
  if (parser.acceptAll('FORMAT', 'JSON') && parser.accept('ENCODING')) parser.advance();
}

/** SQL/JSON: `NULL ON EMPTY`, `EMPTY ARRAY ON ERROR`, `WITH ARRAY WRAPPER` and the like: words only. */
export function acceptJsonTail(parser: Parser): boolean {
  if (JSON_ON.has(parser.key) && parser.ahead(1) === 'ON' && OCCASIONS.has(parser.ahead(2))) {
    parser.move(parser.at + 3);
    return true;
  }
  if (parser.key === 'EMPTY' && parser.ahead(2) === 'ON' && OCCASIONS.has(parser.ahead(3))) {
    parser.move(parser.at + 4);
    return true;
  }
  if (!['WITH', 'WITHOUT', 'KEEP', 'OMIT'].includes(parser.key)) return false;
  while (WRAPPER_WORDS.has(parser.key)) parser.advance();
  parser.acceptAll('ON', 'SCALAR', 'STRING');
  return true;
}
