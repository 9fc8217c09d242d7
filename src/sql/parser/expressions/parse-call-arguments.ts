/** What stands in the brackets of a call: arguments, DISTINCT, ORDER BY and the extras of aggregates and SQL/JSON. */

import { LEVEL } from '../reader/grammar.ts';
import type { Parser } from '../reader/rules.ts';
import { allAs, as, type Draft } from '../reader/token-reader.ts';
import { acceptJsonFormat, acceptJsonTail, OCCASIONS, parseArgument, type Takes } from './parse-argument.ts';
import { parseAnyName } from './parse-names.ts';
import { LAST_UNIT_FUNCTIONS, UNIT_FUNCTIONS } from './parse-type.ts';

/** `( [DISTINCT] a, b [ORDER BY …] [SEPARATOR …] [LIMIT …] [IGNORE NULLS] )`; the first argument has the role `this`. */
export function parseCallArguments(parser: Parser, name = ''): Draft[] {
  const takesUnit = parser.grammar.bareUnits && UNIT_FUNCTIONS.has(name.toLowerCase());
  const takesShortUnit =
    takesUnit && parser.grammar.shortUnits && !LAST_UNIT_FUNCTIONS.has(name.toLowerCase());
  const takesLambda = parser.grammar.arrowIsLambda || parser.grammar.lambdaFunctions.has(name.toUpperCase());
  parser.expect('(');
  const parts: Draft[] = [];
  if (parser.key === 'DISTINCT') parts.push(as('this', parseDistinct(parser)));
  else {
    if (parser.key === 'ALL' && parser.ahead(1) !== ')' && parser.ahead(1) !== ',') parser.advance();
    if (parser.key !== ')' && parser.key !== 'ORDER')
      parts.push(...parseArguments(parser, { takesUnit, takesShortUnit, takesLambda }));
  }
  parts.push(...parseExtras(parser));
  parser.expect(')');
  return parts;
}

function parseArguments(parser: Parser, takes: Takes): Draft[] {
  return [as('this', parseArgument(parser, takes)), ...parseFurther(parser, takes)];
}

function parseFurther(parser: Parser, takes: Takes): Draft[] {
  const items: Draft[] = [];
  while (parser.accept(',')) {
    if (parser.key === ')') break;
    items.push(as('expressions', parseArgument(parser, takes)));
  }
  return items;
}

/** Goes on after a first argument that another rule has read, up to the closing bracket. */
export function parseCallArgumentsAfter(parser: Parser, first: Draft | undefined): Draft[] {
  const parts = first === undefined ? [] : [as('this', first)];
  parts.push(...parseFurther(parser, { takesUnit: false, takesLambda: false }), ...parseExtras(parser));
  parser.expect(')');
  return parts;
}

function parseDistinct(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('DISTINCT');
  const items = parser.list(() => parser.rules.expression(parser));
  return parser.node('Distinct', start, [...allAs('expressions', items)]);
}

/** What may follow the arguments inside the brackets, in any order the engines know. */
function parseExtras(parser: Parser): Draft[] {
  const parts: Draft[] = [];
  for (;;) {
    const isPassing = parser.key === 'PASSING';
    const extra = parseExtra(parser);
    if (extra !== undefined) parts.push(extra);
    while (isPassing && parser.accept(',')) parts.push(as('expressions', parsePassed(parser)));
    if (extra !== undefined) continue;
    if (acceptNulls(parser) || acceptOverflow(parser) || acceptJsonTail(parser)) continue;
    if (!acceptPlan(parser)) return parts;
  }
}

/** An extra that holds an expression; all of them become nodes, so that nothing escapes the read-only check. */
function parseExtra(parser: Parser): Draft | undefined {
  switch (parser.key) {
    case 'ORDER':
      return parser.ahead(1) === 'BY' ? as('order', parser.rules.order(parser)) : undefined;
    case 'LIMIT':
      return parseArgumentLimit(parser);
    case 'HAVING':
      return parseHavingExtreme(parser);
    case 'SEPARATOR':
      parser.advance();
      return as('expressions', parser.rules.expression(parser));
    case 'RETURNING':
      parser.advance();
      return parseReturning(parser);
    case 'DEFAULT':
      return parseJsonDefault(parser);
    case 'PASSING':
      parser.advance();
      acceptPassing(parser);
      return as('expressions', parsePassed(parser));
    case 'COLUMNS':
      return as('expressions', parseTableColumns(parser));
    default:
      return undefined;
  }
}

/** `PASSING BY VALUE x AS "a", y AS "b"`. */
function parsePassed(parser: Parser): Draft {
  const value = parseArgument(parser, { takesUnit: false, takesLambda: false });
  acceptPassing(parser);
  return value;
}

function acceptPassing(parser: Parser): void {
  if (!parser.acceptAll('BY', 'VALUE')) parser.acceptAll('BY', 'REF');
}

function parseArgumentLimit(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('LIMIT');
  const first = parser.rules.expression(parser);
  // MariaDB: `LIMIT 1, 2`.
  const parts = parser.accept(',')
    ? [as('offset', first), as('expression', parser.rules.expression(parser))]
    : [as('expression', first)];
  return as('limit', parser.node('Limit', start, parts));
}

/** BigQuery: `ANY_VALUE(x HAVING MAX y)`. */
function parseHavingExtreme(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('HAVING');
  if (parser.key !== 'MAX' && parser.key !== 'MIN') throw parser.fault('MAX', 'MIN');
  const kind = parser.advance().text.toUpperCase();
  const by = as('this', parser.rules.expression(parser));
  return as('having', parser.node('HavingMax', start, [by], undefined, { kind }));
}

/** SQL/JSON: `RETURNING type`. */
function parseReturning(parser: Parser): Draft {
  const type = as('expressions', parser.rules.dataType(parser));
  acceptJsonFormat(parser);
  return type;
}

/** SQL/JSON: `DEFAULT 0 ON EMPTY`. */
function parseJsonDefault(parser: Parser): Draft {
  parser.expect('DEFAULT');
  const value = as('expressions', parser.rules.expression(parser, LEVEL.not));
  parser.expect('ON');
  if (!OCCASIONS.has(parser.key)) throw parser.fault('EMPTY', 'ERROR');
  parser.advance();
  return value;
}

/** JSON_TABLE: `PLAN DEFAULT (INNER, UNION)`, `PLAN (a OUTER b)`: words and names of its paths. */
function acceptPlan(parser: Parser): boolean {
  const isDefault = parser.ahead(1) === 'DEFAULT' && parser.ahead(2) === '(';
  if (parser.key !== 'PLAN' || !(isDefault || parser.ahead(1) === '(')) return false;
  parser.move(parser.at + (isDefault ? 2 : 1));
  let depth = 0;
  do {
    const isWord = parser.kind === 'word' || parser.kind === 'quoted-name' || parser.isAt(',');
    if (parser.isAt('(')) depth += 1;
    else if (parser.isAt(')')) depth -= 1;
    else if (!isWord) throw parser.fault(')');
    parser.advance();
  } while (depth > 0);
  return true;
}

function acceptNulls(parser: Parser): boolean {
  return parser.acceptAll('IGNORE', 'NULLS') || parser.acceptAll('RESPECT', 'NULLS');
}

/** LISTAGG: `ON OVERFLOW ERROR`, `ON OVERFLOW TRUNCATE '…' WITH COUNT`. */
function acceptOverflow(parser: Parser): boolean {
  if (!parser.acceptAll('ON', 'OVERFLOW')) return false;
  if (!parser.accept('ERROR')) {
    parser.expect('TRUNCATE');
    if (parser.kind === 'text') parser.advance();
    if (parser.accept('WITH') || parser.accept('WITHOUT')) parser.expect('COUNT');
  }
  return true;
}

// The COLUMNS of JSON_TABLE and XMLTABLE.

/** `COLUMNS (a INT PATH '$.a', …)`; XMLTABLE has no brackets. */
function parseTableColumns(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('COLUMNS');
  const isBracketed = parser.accept('(');
  const columns = parser.list(() =>
    as(
      'expressions',
      parser.nested(() => parseTableColumn(parser)),
    ),
  );
  if (isBracketed) parser.expect(')');
  return parser.node('TableColumns', start, columns);
}

function parseTableColumn(parser: Parser): Draft {
  const { start } = parser;
  if (parser.key === 'NESTED' && (parser.ahead(1) === 'PATH' || parser.kindAhead(1) === 'text'))
    return parseNested(parser);
  const name = as('this', parseAnyName(parser, 'a column'));
  if (parser.acceptAll('FOR', 'ORDINALITY')) return parser.node('TableColumn', start, [name]);
  const kind = as('kind', parser.rules.dataType(parser));
  return parser.node('TableColumn', start, [name, kind, ...parseOptions(parser)]);
}

/** `NESTED PATH '$.b[*]' COLUMNS (…)`: more columns, for each row of the path. */
function parseNested(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('NESTED');
  parser.accept('PATH');
  const path = as('expressions', parser.rules.expression(parser, LEVEL.other));
  if (parser.accept('AS')) parseAnyName(parser);
  return parser.node('TableColumn', start, [path, as('expressions', parseTableColumns(parser))]);
}

/** A path, defaults, and words that say what else comes; each expression is a node. */
function parseOptions(parser: Parser): Draft[] {
  const parts: Draft[] = [];
  for (;;) {
    if (parser.accept('PATH')) parts.push(as('expressions', parser.rules.expression(parser, LEVEL.other)));
    else if (parser.accept('DEFAULT')) {
      parts.push(as('expressions', parser.rules.expression(parser, LEVEL.not)));
      if (parser.key === 'ON' && OCCASIONS.has(parser.ahead(1))) parser.move(parser.at + 2);
    } else if (!acceptWords(parser)) return parts;
  }
}

function acceptWords(parser: Parser): boolean {
  if (parser.accept('EXISTS') || parser.acceptAll('FORMAT', 'JSON') || parser.acceptAll('NOT', 'NULL'))
    return true;
  return acceptJsonTail(parser) || (parser.ahead(1) !== 'ON' && parser.accept('NULL'));
}
