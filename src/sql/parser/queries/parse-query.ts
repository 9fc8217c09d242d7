/** Queries: WITH, set operations, and the ORDER BY, LIMIT and locks that end them. */

import { isName, parseAnyName } from '../expressions/parse-names.ts';
import { type Parser, startsQuery } from '../reader/rules.ts';
import { allAs, as, type Draft } from '../reader/token-reader.ts';
import { parseLimits, parseOrder } from './parse-limits-and-order.ts';
import { parsePipes } from './parse-pipes.ts';
import { parsePivotStatement } from './parse-pivot.ts';
import { parseInto, parseLocks, parseSelect } from './parse-select.ts';
import { readSetWords, setTypeAt } from './parse-set-operation.ts';
import { parseValues } from './parse-values.ts';

/** `[WITH …] body [ORDER BY …] [LIMIT …]`. */
export function parseQuery(parser: Parser): Draft {
  return parser.nested(() => {
    const { start } = parser;
    const ctes = parser.key === 'WITH' ? as('with', parseWith(parser)) : undefined;
    const query = parseQueryAfter(parser, parseBranch(parser));
    if (ctes === undefined) return query;
    query.children.unshift(ctes);
    query.start = start;
    return query;
  });
}

/**
 * Goes on after a first branch: set operations, then what ends the whole. `… LIMIT 3 INTERSECT …` without brackets is
 * read too: engines refuse it, but people and models write it and what it means is plain.
 */
export function parseQueryAfter(parser: Parser, first: Draft): Draft {
  let query = first;
  do {
    query = parseSetOperations(parser, query, 0);
    const parts = [...parseEnd(parser)];
    if (parts.length === 0) return parsePipes(parser, query);
    query.children.push(...parts);
    query.end = parser.end;
  } while (setTypeAt(parser) !== undefined);
  return parsePipes(parser, query);
}

/** UNION and EXCEPT from left to right, INTERSECT before them where the dialect says so. */
function parseSetOperations(parser: Parser, first: Draft, level: number): Draft {
  let left = first;
  for (;;) {
    const type = setTypeAt(parser);
    if (type === undefined || (parser.key === 'MINUS' && left.type === 'Values')) return left;
    const own = parser.grammar.intersectFirst && type === 'Intersect' ? 1 : 0;
    if (own < level) return left;
    left = parseSetOperation(parser, left, type, own);
  }
}

function parseSetOperation(parser: Parser, left: Draft, type: string, level: number): Draft {
  const { flags, columns } = readSetWords(parser);
  // Which of the two the steps belong to would be in doubt.
  if (parser.key === 'FROM' && parser.grammar.pipes) throw parser.fault('SELECT', '(');
  const branch = parseBranch(parser);
  const right = parser.grammar.intersectFirst ? parseSetOperations(parser, branch, level + 1) : branch;
  const parts = [as('this', left), ...columns, as('expression', right)];
  return parser.node(type, left.start, parts, undefined, flags);
}

/** One operand of a set operation: SELECT, VALUES, or a query in brackets. */
function parseBranch(parser: Parser): Draft {
  if (WRITING.has(parser.key)) return parseCommand(parser);
  if (parser.key === 'VALUES') return parseValues(parser);
  const isPivot = (parser.key === 'PIVOT' || parser.key === 'UNPIVOT') && startsQuery(parser);
  if (isPivot) return parsePivotStatement(parser);
  if (parser.key === '(') return parseBracketed(parser);
  if (parser.key === 'TABLE' && isNameAhead(parser)) return parseTableStatement(parser);
  return parseSelect(parser);
}

function parseBracketed(parser: Parser): Draft {
  const { start } = parser;
  return parser.nested(() => {
    parser.expect('(');
    const inner = parseQuery(parser);
    parser.expect(')');
    return parser.node('Subquery', start, [as('this', inner)]);
  });
}

function isNameAhead(parser: Parser): boolean {
  return parser.kindAhead(1) === 'word' || parser.kindAhead(1) === 'quoted-name';
}

/** `TABLE t` is `SELECT * FROM t`. */
function parseTableStatement(parser: Parser): Draft {
  const { start } = parser;
  parser.advance();
  const table = as('this', parser.rules.relation(parser));
  const from = as('from', parser.node('From', start, [table], undefined, { kind: 'TABLE' }));
  return parser.node('Select', start, [from]);
}

function parseWith(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('WITH');
  const isRecursive = parser.accept('RECURSIVE');
  const ctes = parser.list(() => as('expressions', parseCte(parser)));
  return parser.node('With', start, ctes, undefined, isRecursive ? { recursive: 'true' } : undefined);
}

/** `name (columns) AS [NOT MATERIALIZED] (query)`. */
function parseCte(parser: Parser): Draft {
  const { start } = parser;
  if (!isName(parser)) throw parser.fault('the name of a common table expression');
  const alias = as('alias', parseCteName(parser));
  if (parser.grammar.duckdbForms && parser.acceptAll('USING', 'KEY')) parseKeys(parser);
  parser.expect('AS');
  const flags: { materialized?: string } = {};
  if (parser.acceptAll('NOT', 'MATERIALIZED')) flags.materialized = 'not';
  else if (parser.accept('MATERIALIZED')) flags.materialized = 'true';
  parser.expect('(');
  const query = as('this', parseCteBody(parser));
  parser.expect(')');
  const more = parseCycleClauses(parser);
  return parser.node('CTE', start, [alias, query, ...allAs('columns', more)], undefined, flags);
}

function parseCteName(parser: Parser): Draft {
  const { start } = parser;
  const name = as('this', parseAnyName(parser));
  if (!parser.accept('(')) return parser.node('TableAlias', start, [name]);
  const columns = allAs(
    'columns',
    parser.list(() => parseAnyName(parser, 'a column')),
  );
  parser.expect(')');
  return parser.node('TableAlias', start, [name, ...columns]);
}

/** DuckDB: `USING KEY (a, b)` of a recursion, by which a new row takes the place of an old one. */
function parseKeys(parser: Parser): void {
  parser.expect('(');
  parser.list(() => parseAnyName(parser, 'a column'));
  parser.expect(')');
}

const WRITING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** PostgreSQL lets a CTE write; such a body stays one unread Command, so that it can be named and refused. */
function parseCteBody(parser: Parser): Draft {
  return WRITING.has(parser.key) ? parseCommand(parser) : parseQuery(parser);
}

/** A statement we do not read, up to the bracket that closes around it or the end. */
export function parseCommand(parser: Parser): Draft {
  const { start, key } = parser;
  let depth = 0;
  while (!parser.isAtEnd) {
    if (parser.key === '(') depth += 1;
    if (parser.key === ')') depth -= 1;
    if (depth < 0 || (depth === 0 && parser.key === ';')) break;
    parser.advance();
  }
  return parser.node('Command', start, [], key);
}

/**
 * PostgreSQL: `SEARCH DEPTH FIRST BY a SET b`, `CYCLE a SET b [TO 1 DEFAULT 0] USING c`: names and literals only. Gives
 * the columns that come new.
 */
function parseCycleClauses(parser: Parser): Draft[] {
  const columns: Draft[] = [];
  if (
    parser.acceptAll('SEARCH', 'DEPTH', 'FIRST', 'BY') ||
    parser.acceptAll('SEARCH', 'BREADTH', 'FIRST', 'BY')
  ) {
    parser.list(() => parseAnyName(parser));
    parser.expect('SET');
    columns.push(parseAnyName(parser));
  }
  if (!parser.accept('CYCLE')) return columns;
  parser.list(() => parseAnyName(parser));
  // MariaDB: `CYCLE a RESTRICT` leaves out rows that were there.
  if (parser.grammar.mysqlWords && parser.accept('RESTRICT')) return columns;
  parser.expect('SET');
  columns.push(parseAnyName(parser));
  if (parser.accept('TO')) {
    parser.advance();
    parser.expect('DEFAULT');
    parser.advance();
  }
  parser.expect('USING');
  columns.push(parseAnyName(parser));
  return columns;
}

function* parseEnd(parser: Parser): Generator<Draft> {
  if (parser.key === 'ORDER' && parser.ahead(1) === 'BY') yield as('order', parseOrder(parser));
  yield* parseLimits(parser);
  yield* parseLocks(parser);
  // MySQL lets INTO follow everything.
  if (parser.key === 'INTO') {
    yield as('into', parseInto(parser));
    yield* parseLocks(parser);
  }
}
