/** ORDER BY, LIMIT, OFFSET and FETCH. */

import type { Parser } from '../reader/rules.ts';
import { as, type Draft } from '../reader/token-reader.ts';

export function parseOrder(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('ORDER', 'BY');
  return parser.node(
    'Order',
    start,
    parser.list(() => as('expressions', parseOrdered(parser))),
  );
}

function parseOrdered(parser: Parser): Draft {
  const { start } = parser;
  const value = as('this', parseOrderValue(parser));
  const flags: { desc?: string; nulls?: string } = {};
  if (parser.grammar.ownOperators && parser.accept('USING')) {
    if (acceptUsing(parser) === '>') flags.desc = 'true';
  } else if (parser.accept('DESC')) flags.desc = 'true';
  else parser.accept('ASC');
  if (parser.accept('NULLS')) {
    if (parser.key !== 'FIRST' && parser.key !== 'LAST') throw parser.fault('FIRST', 'LAST');
    flags.nulls = parser.advance().text.toLowerCase();
  }
  return parser.node('Ordered', start, [value], undefined, flags);
}

/** PostgreSQL: `USING >` is DESC, `USING OPERATOR(pg_catalog.<)` is ASC; other operators sort in ways of their own. */
function acceptUsing(parser: Parser): string {
  const isNamed = parser.acceptAll('OPERATOR', '(');
  if (isNamed) parser.acceptAll('PG_CATALOG', '.');
  if (parser.key !== '<' && parser.key !== '>') throw parser.fault('<', '>');
  const sign = parser.advance().text;
  if (isNamed) parser.expect(')');
  return sign;
}

/** `ORDER BY ALL` of DuckDB and Snowflake names no column. */
function parseOrderValue(parser: Parser): Draft {
  const { start } = parser;
  if (parser.key !== 'ALL' || parser.ahead(1) === '(') return parser.rules.expression(parser);
  parser.advance();
  return parser.node('Var', start, [], 'ALL');
}

/** LIMIT or FETCH, and OFFSET: each once, in either order. */
export function* parseLimits(parser: Parser): Generator<Draft> {
  let isLimited = false;
  let isOffset = false;
  for (;;) {
    if (!isOffset && parser.key === 'OFFSET') {
      isOffset = true;
      yield as('offset', parseOffset(parser));
    } else if (!isLimited && (parser.key === 'LIMIT' || parser.key === 'FETCH')) {
      isLimited = true;
      yield as('limit', parser.key === 'LIMIT' ? parseLimit(parser) : parseFetch(parser));
    } else return;
  }
}

/** `LIMIT 5`, `LIMIT 10, 5`, `LIMIT ALL`, `LIMIT 10 PERCENT`, `LIMIT 10%`. */
function parseLimit(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('LIMIT');
  if (parser.accept('ALL')) return parser.node('Limit', start, []);
  const first = parser.kind === 'number' ? parseCount(parser) : parser.rules.expression(parser);
  if (parser.accept(',')) {
    const count = as('expression', parser.rules.expression(parser));
    return parser.node('Limit', start, [as('offset', first), count]);
  }
  const isPercent = parser.accept('PERCENT') || parser.accept('%');
  const flags = isPercent ? { percent: 'true' } : undefined;
  return parser.node('Limit', start, [as('expression', first)], undefined, flags);
}

/** A number before `%` is a share, not the left side of a modulo. */
function parseCount(parser: Parser): Draft {
  const { token } = parser;
  const next = parser.ahead(2);
  if (
    token === undefined ||
    parser.ahead(1) !== '%' ||
    !['', ';', ')', 'OFFSET'].includes(next) ||
    parser.kindAhead(2) === 'number'
  ) {
    return parser.rules.expression(parser);
  }
  parser.advance();
  return parser.node('Literal', token.start, [], token.text);
}

function parseOffset(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('OFFSET');
  const count = as('expression', parser.rules.expression(parser));
  if (parser.key === 'ROW' || parser.key === 'ROWS') parser.advance();
  return parser.node('Offset', start, [count]);
}

/** `FETCH FIRST 5 ROWS ONLY`, `FETCH NEXT 5 PERCENT ROWS WITH TIES`. */
function parseFetch(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('FETCH');
  if (parser.key === 'FIRST' || parser.key === 'NEXT') parser.advance();
  const isCounted = parser.key !== 'ROW' && parser.key !== 'ROWS' && parser.key !== 'ONLY';
  const parts = isCounted ? [as('count', parser.rules.expression(parser))] : [];
  const flags: { percent?: string; ties?: string } = {};
  if (parser.accept('PERCENT')) flags.percent = 'true';
  if (parser.key === 'ROW' || parser.key === 'ROWS') parser.advance();
  if (parser.acceptAll('WITH', 'TIES')) flags.ties = 'true';
  else parser.accept('ONLY');
  return parser.node('Fetch', start, parts, undefined, flags);
}
