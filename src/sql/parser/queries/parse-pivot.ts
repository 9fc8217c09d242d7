/** PIVOT and UNPIVOT behind a relation. */

import { parseAlias, parseAnyName } from '../expressions/parse-names.ts';
import { LEVEL } from '../reader/grammar.ts';
import type { Parser } from '../reader/rules.ts';
import { allAs, as, type Draft } from '../reader/token-reader.ts';

export function isPivot(parser: Parser): boolean {
  if (parser.key === 'PIVOT') return parser.ahead(1) === '(';
  return parser.key === 'UNPIVOT' && ['(', 'INCLUDE', 'EXCLUDE'].includes(parser.ahead(1));
}

/** DuckDB: `PIVOT t ON year USING SUM(x) GROUP BY y`, `UNPIVOT t ON a, b INTO NAME n VALUE v`. */
export function parsePivotStatement(parser: Parser): Draft {
  const { start } = parser;
  const isUnpivot = parser.advance().text.toUpperCase() === 'UNPIVOT';
  const parts = [as('this', parser.rules.relation(parser))];
  if (parser.accept('ON')) parts.push(...parser.list(() => as('fields', parseOnField(parser))));
  if (parser.accept('USING')) parts.push(...parser.list(() => as('expressions', parseAliased(parser))));
  if (parser.accept('INTO')) {
    parser.expect('NAME');
    parts.push(as('aliases', parseAnyName(parser)));
    parser.expect('VALUE');
    parts.push(...parser.list(() => as('aliases', parseAnyName(parser))));
  }
  if (parser.accept('GROUP')) {
    parser.expect('BY');
    parts.push(...parser.list(() => as('group', parser.rules.expression(parser))));
  }
  return parser.node('Pivot', start, parts, undefined, isUnpivot ? { unpivot: 'true' } : undefined);
}

function parseOnField(parser: Parser): Draft {
  const value = parser.rules.expression(parser, LEVEL.other);
  if (parser.key === 'IN') return parseFieldAfter(parser, value);
  // UNPIVOT: `ON (jan, feb) AS q1`.
  const alias = parser.key === 'AS' ? parseAlias(parser, true) : undefined;
  return alias === undefined
    ? value
    : parser.node('Alias', value.start, [as('this', value), as('alias', alias)]);
}

/** `PIVOT (SUM(x) AS s FOR m IN ('a', 'b' AS c))`, `UNPIVOT (v FOR n IN (a, b))`. */
export function parsePivot(parser: Parser): Draft {
  const { start } = parser;
  const isUnpivot = parser.advance().text.toUpperCase() === 'UNPIVOT';
  if (parser.accept('INCLUDE') || parser.accept('EXCLUDE')) parser.expect('NULLS');
  parser.expect('(');
  const parts = [
    ...allAs(
      'expressions',
      parser.list(() => parseAliased(parser, LEVEL.other)),
    ),
  ];
  while (parser.accept('FOR')) {
    parts.push(as('fields', parseField(parser)));
    // DuckDB writes FOR once: `FOR year IN (…) country IN (…)`.
    while (parser.grammar.duckdbForms && !['FOR', 'GROUP', ')'].includes(parser.key))
      parts.push(as('fields', parseField(parser)));
  }
  if (parser.acceptAll('DEFAULT', 'ON', 'NULL')) parts.push(as('default', parser.rules.expression(parser)));
  if (parser.accept('GROUP')) {
    parser.expect('BY');
    parts.push(...parser.list(() => as('group', parser.rules.expression(parser))));
  }
  parser.expect(')');
  return parser.node('Pivot', start, parts, undefined, isUnpivot ? { unpivot: 'true' } : undefined);
}

function parseAliased(parser: Parser, level?: number): Draft {
  const value = parser.rules.expression(parser, level);
  const alias = parser.key === 'FOR' ? undefined : (parseNumberName(parser) ?? parseAlias(parser, true));
  return alias === undefined
    ? value
    : parser.node('Alias', value.start, [as('this', value), as('alias', alias)]);
}

/** BigQuery's UNPIVOT: `Q1 AS 1`, where the number is the value beside the column's. */
function parseNumberName(parser: Parser): Draft | undefined {
  const isAfterAs = parser.key === 'AS';
  if (!parser.grammar.pipes || parser.kindAhead(isAfterAs ? 1 : 0) !== 'number') return undefined;
  if (isAfterAs) parser.advance();
  const { start } = parser;
  return as('alias', parser.node('Literal', start, [], parser.advance().text));
}

/** `month IN ('jan', 'feb' AS f)`; several in a row without FOR in DuckDB. */
function parseField(parser: Parser): Draft {
  return parseFieldAfter(parser, parser.rules.expression(parser, LEVEL.other));
}

function parseFieldAfter(parser: Parser, field: Draft): Draft {
  const { start } = field;
  const name = as('this', field);
  if (!parser.accept('IN')) throw parser.fault('IN');
  if (!parser.accept('(')) {
    const list = as('expressions', parseAnyName(parser));
    return parser.node('PivotIn', start, [name, list]);
  }
  if (parser.accept('ANY')) {
    const order = parser.key === 'ORDER' ? [as('expressions', parser.rules.order(parser))] : [];
    parser.expect(')');
    return parser.node('PivotIn', start, [name, ...order], 'ANY');
  }
  const items = allAs(
    'expressions',
    parser.list(() => parseAliased(parser)),
  );
  parser.expect(')');
  return parser.node('PivotIn', start, [name, ...items]);
}
