import type { Parser } from '../reader/rules.ts';
import { as, type Draft } from '../reader/token-reader.ts';

/** `VALUES (1, 2), (3, 4)`; MySQL writes `ROW (1, 2)`, Trino allows `VALUES 1, 2`. */
export function parseValues(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('VALUES');
  const rows = parser.list(() => as('expressions', parseRow(parser)));
  return parser.node('Values', start, rows);
}

function parseRow(parser: Parser): Draft {
  const { start } = parser;
  if (parser.key === 'ROW') parser.advance();
  if (parser.key !== '(') return parser.rules.expression(parser);
  const row = parser.rules.expression(parser);
  // One value in brackets is a row of one, not a value in brackets.
  if (row.type !== 'Paren') return row;
  const [value] = row.children;
  return parser.node('Tuple', start, value === undefined ? [] : [as('expressions', value)]);
}
