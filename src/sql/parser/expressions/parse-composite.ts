/** Operands made of parts: brackets, CASE, INTERVAL, arrays and structs. */

import { LEVEL } from '../reader/grammar.ts';
import type { Parser } from '../reader/rules.ts';
import { allAs, as, type Draft } from '../reader/token-reader.ts';
import { parseStarArgument } from './parse-argument.ts';
import { parseAnyName, parseText } from './parse-names.ts';
import { UNITS } from './parse-type.ts';

const QUERY_TYPES: ReadonlySet<string> = new Set(['Select', 'Union', 'Intersect', 'Except', 'Values']);

/**
 * `(…)`: a subquery, a tuple, or an expression in brackets. `((SELECT 1) UNION SELECT 2)` and `((SELECT 1) + 2)`
 * begin alike; what follows the inner brackets decides, so nothing is read twice.
 */
export function parseBrackets(parser: Parser): Draft {
  const { start } = parser;
  const lambda = parseLambdaInBrackets(parser);
  if (lambda !== undefined) return lambda;
  parser.expect('(');
  if (parser.accept(')')) return parser.node('Tuple', start, []);
  let first = parser.rules.expression(parser);
  if (first.type === 'Subquery') first = parser.rules.queryAfter(parser, first);
  if (QUERY_TYPES.has(first.type)) {
    parser.expect(')');
    return parser.node('Subquery', start, [as('this', first)]);
  }
  if (parser.key !== ',') {
    parser.expect(')');
    return parser.node('Paren', start, [as('this', first)]);
  }
  const items = [first];
  while (parser.accept(',')) {
    if (parser.isAt(')')) break;
    items.push(parser.rules.expression(parser));
  }
  parser.expect(')');
  return parser.node('Tuple', start, [...allAs('expressions', items)]);
}

/** `(x, y) -> x + y`; only names may stand in the brackets, so a look ahead is enough. */
function parseLambdaInBrackets(parser: Parser): Draft | undefined {
  if (!parser.grammar.arrowIsLambda && parser.grammar.lambdaFunctions.size === 0) return undefined;
  let distance = 1;
  while (parser.kindAhead(distance) === 'word' && parser.ahead(distance + 1) === ',') distance += 2;
  if (parser.kindAhead(distance) === 'word') distance += 1;
  if (parser.ahead(distance) !== ')' || parser.ahead(distance + 1) !== '->') return undefined;
  const { start } = parser;
  parser.advance();
  const names = parser.key === ')' ? [] : parser.list(() => as('expressions', parseAnyName(parser)));
  parser.expect(')', '->');
  return parser.node('Lambda', start, [...names, as('this', parser.rules.expression(parser))]);
}

export function parseCase(parser: Parser): Draft {
  const { start } = parser;
  parser.advance();
  parser.openCases += 1;
  const parts: Draft[] = [];
  if (parser.key !== 'WHEN') parts.push(as('this', parser.rules.expression(parser)));
  while (parser.key === 'WHEN') parts.push(parseBranch(parser));
  if (parts.at(-1)?.role !== 'ifs') throw parser.fault('WHEN');
  if (parser.accept('ELSE')) parts.push(as('default', parser.rules.expression(parser)));
  if (parser.key !== 'END') throw parser.fault('WHEN', 'ELSE', 'END');
  parser.advance();
  parser.openCases -= 1;
  return parser.node('Case', start, parts);
}

function parseBranch(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('WHEN');
  const condition = as('this', parser.rules.expression(parser));
  parser.expect('THEN');
  return as('ifs', parser.node('If', start, [condition, as('true', parser.rules.expression(parser))]));
}

/** `INTERVAL '1 day'`, `INTERVAL 1 DAY`, `INTERVAL '1-2' YEAR TO MONTH`; `undefined` for a column of that name. */
export function parseInterval(parser: Parser): Draft | undefined {
  const { start } = parser;
  // `interval(2) '1.234 s'` of PostgreSQL is a type and a text.
  if (parser.ahead(1) === '(' && parser.ahead(3) === ')' && parser.kindAhead(4) === 'text') return undefined;
  const next = parser.kindAhead(1);
  const sign = parser.ahead(1);
  const isUnitAhead = UNITS.has(parser.ahead(2));
  const isNameAhead = next === 'quoted-name' || (next === 'word' && !parser.grammar.reserved.has(sign));
  const begins =
    next === 'text' ||
    next === 'number' ||
    next === 'parameter' ||
    ((sign === '(' || sign === '-' || sign === '+') && (sign !== '(' || !isCallOfInterval(parser))) ||
    (isNameAhead && (isUnitAhead || isIntervalOfCall(parser)));
  if (!begins) return undefined;
  parser.advance();
  // A text is the whole amount: `INTERVAL '1 day' + x` adds to the interval.
  const amount = as('this', next === 'text' ? parseText(parser) : parser.rules.expression(parser, LEVEL.add));
  const unit = parseIntervalUnit(parser);
  return parser.node('Interval', start, unit === undefined ? [amount] : [amount, unit]);
}

/** Where INTERVAL is a reserved word, whatever begins a value may follow: `INTERVAL WEEKDAY(d) DAY`. */
function isIntervalOfCall(parser: Parser): boolean {
  return parser.grammar.intervalReserved && ['(', '.', '+', '-', '*', '/'].includes(parser.ahead(2));
}

/** MySQL and SQLite know a function of that name: `INTERVAL(a, b, c)`. */
function isCallOfInterval(parser: Parser): boolean {
  for (let distance = 2, depth = 1; parser.tokenAhead(distance) !== undefined; distance += 1) {
    const key = parser.ahead(distance);
    if (key === '(') depth += 1;
    if (key === ')') depth -= 1;
    if (key === ',' && depth === 1) return true;
    if (depth === 0) return false;
  }
  return false;
}

function parseIntervalUnit(parser: Parser): Draft | undefined {
  if (!UNITS.has(parser.key)) return undefined;
  const { start } = parser;
  const from = parser.advance().text;
  if (parser.isAt('(')) skipBrackets(parser);
  if (!parser.isAt('TO') || !UNITS.has(parser.ahead(1))) {
    return as('unit', parser.node('Var', start, [], from));
  }
  parser.advance();
  const to = parser.advance().text;
  if (parser.isAt('(')) skipBrackets(parser);
  return as('unit', parser.node('Var', start, [], `${from} TO ${to}`));
}

/** Steps over a number in brackets, the precision of a unit. */
function skipBrackets(parser: Parser): void {
  parser.expect('(');
  while (parser.kind === 'number') parser.advance();
  parser.expect(')');
}

/** `[1, 2]`, and DuckDB's `[x * 2 FOR x IN list IF x > 0]`. */
export function parseSquareBrackets(parser: Parser, start: number): Draft {
  parser.expect('[');
  if (parser.accept(']')) return parser.node('Array', start, []);
  const first = parseItem(parser);
  if (parser.key === 'FOR') return parseComprehension(parser, start, first);
  const items = [first];
  while (parser.accept(',')) {
    if (parser.key === ']') break;
    items.push(parseItem(parser));
  }
  parser.expect(']');
  return parser.node('Array', start, [...allAs('expressions', items)]);
}

/** PostgreSQL: `ARRAY[[1, 2], [3, 4]]`, where a bracket alone begins no array. */
function parseItem(parser: Parser): Draft {
  return parser.key === '[' && !parser.grammar.bracketArrays
    ? parser.nested(() => parseSquareBrackets(parser, parser.start))
    : parser.rules.expression(parser);
}

function parseComprehension(parser: Parser, start: number, result: Draft): Draft {
  parser.expect('FOR');
  const names = parser.list(() => as('expressions', parseAnyName(parser)));
  parser.expect('IN');
  const parts = [as('this', result), ...names, as('iterator', parser.rules.expression(parser))];
  if (parser.accept('IF')) parts.push(as('condition', parser.rules.expression(parser)));
  parser.expect(']');
  return parser.node('Comprehension', start, parts);
}

/** `{'a': 1, b: 2}` of DuckDB and Snowflake. */
export function parseStructBraces(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('{');
  const fields: Draft[] = [];
  while (parser.key !== '}') {
    fields.push(parseField(parser));
    if (!parser.accept(',')) break;
  }
  parser.expect('}');
  return parser.node('Struct', start, [...allAs('expressions', fields)]);
}

function parseField(parser: Parser): Draft {
  const { start } = parser;
  // Snowflake: `{*}`, `{t.*}`.
  if (parser.grammar.connectBy && parser.key === '*') return parseStarArgument(parser);
  if (parser.grammar.connectBy && parser.ahead(1) === '.' && parser.ahead(2) === '*')
    return parser.rules.expression(parser, LEVEL.postfix);
  const name =
    parser.kind === 'text' ? parser.rules.expression(parser, LEVEL.postfix) : parseAnyName(parser, 'a field');
  parser.expect(':');
  return parser.node('PropertyEQ', start, [
    as('this', name),
    as('expression', parser.rules.expression(parser)),
  ]);
}

/** BigQuery: `WITH(a AS 1, b AS a + 1, a + b)`. */
export function parseLet(parser: Parser): Draft {
  return parser.nested(() => {
    const { start } = parser;
    parser.expect('WITH', '(');
    const names: Draft[] = [];
    do names.push(as('expressions', parseLetName(parser)));
    while (parser.accept(',') && parser.ahead(1) === 'AS');
    const result = as('this', parser.rules.expression(parser));
    parser.expect(')');
    return parser.node('Let', start, [...names, result]);
  });
}

function parseLetName(parser: Parser): Draft {
  const { start } = parser;
  const alias = as('alias', parseAnyName(parser));
  parser.expect('AS');
  return parser.node('LetName', start, [alias, as('this', parser.rules.expression(parser))]);
}
