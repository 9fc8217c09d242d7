/** The SQL layer: text to tree, the read-only verdict, names, and the layout for people. */

export type { Cell } from './cell.ts';
export type { DatePart, Dialect, DialectName } from './dialect.ts';
export { DIALECTS } from './dialects.ts';
export { findNames, type NamedSchema, type NameProblem, type NamesFound } from './find-names.ts';
export { type FormattedSql, formatSql } from './format-sql.ts';
export { INVERSE_COMPARISON } from './inverse-comparison.ts';
export { lexSql, significantTokens, type Token, type TokenKind } from './lex-sql.ts';
export { nearestNames } from './nearest-name.ts';
export { type ParsedQuery, type ParseError, type ParseResult, parse } from './parse.ts';
export { loadParser, type ParserInstance } from './parser-instance.ts';
export { type PrintedPart, type PrintedQuery, printQuery, quoteName } from './print-query.ts';
export type {
  AggregateFunction,
  Cause,
  Comparison,
  Expression,
  FromTable,
  Join,
  OrderItem,
  Predicate,
  Query,
  SelectItem,
  SelectQuery,
} from './query.ts';
export { checkReadOnly, checkTokens, type ReadOnlyVerdict } from './read-only.ts';
export type { Span } from './span.ts';
