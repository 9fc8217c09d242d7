import type { Draft, TokenReader } from './token-reader.ts';

/**
 * The rules that call each other across files. A parser is the reader of tokens plus these, so that the file of
 * expressions needs not import the file of queries that imports it.
 */
export interface Rules {
  readonly expression: (parser: Parser, level?: number) => Draft;
  readonly query: (parser: Parser) => Draft;
  /** Goes on with set operations, ORDER BY and LIMIT after a query in brackets that has been read. */
  readonly queryAfter: (parser: Parser, first: Draft) => Draft;
  readonly relation: (parser: Parser) => Draft;
  readonly dataType: (parser: Parser) => Draft;
  readonly order: (parser: Parser) => Draft;
  readonly where: (parser: Parser) => Draft;
}

/** A reader that knows the rules. */
export type Parser = TokenReader & { readonly rules: Rules };

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
