import type { Draft } from './draft.ts';
import type { TokenReader } from './token-reader.ts';

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
