import type { Parser } from './rules.ts';

/** A query begins here: SELECT, WITH, VALUES (…), TABLE t, and FROM or PIVOT where the dialect lets them. */
export function startsQuery(parser: Parser): boolean {
  switch (parser.key) {
    case 'SELECT':
      return true;
    case 'WITH':
      return parser.kindAhead(1) === 'word' || parser.kindAhead(1) === 'quoted-name';
    case 'VALUES':
      return (
        parser.ahead(1) === '(' ||
        parser.ahead(1) === 'ROW' ||
        // Trino: a row of one value needs no brackets.
        (parser.grammar.dialect === 'trino' && ['number', 'text'].includes(parser.kindAhead(1) ?? ''))
      );
    case 'TABLE':
      return parser.grammar.tableStatement && ['word', 'quoted-name'].includes(parser.kindAhead(1) ?? '');
    case 'FROM':
      return parser.grammar.duckdbForms || parser.grammar.pipes;
    case 'PIVOT':
    case 'UNPIVOT':
      return (
        parser.grammar.duckdbForms &&
        (parser.kindAhead(1) === 'word' || parser.kindAhead(1) === 'quoted-name' || parser.ahead(1) === '(')
      );
    default:
      return false;
  }
}
