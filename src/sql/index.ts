/** The SQL core: text to tree, scopes and lineage, the read-only verdict, comparing, printing and rewriting. */

export type { Cell } from './cell.ts';
export type { DatePart, Dialect, DialectName } from './dialect.ts';
export { DIALECTS } from './dialects.ts';
export { type FormattedSql, formatSql } from './format-sql.ts';
export { checkReadOnly } from './guard/check-read-only.ts';
export { checkTokens } from './guard/check-tokens.ts';
export type { ReadOnlyVerdict } from './guard/verdict.ts';
export { INVERSE_COMPARISON } from './inverse-comparison.ts';
export { lexSql, significantTokens, type Token, type TokenKind } from './lex-sql.ts';
export { nearestNames } from './nearest-name.ts';
export { type ParseError, type ParseResult, parse } from './parser/parse.ts';
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
export { findNames, type NameProblem, type NamesFound } from './scope/find-names.ts';
export type { Span } from './span.ts';
export { ancestor, child, childrenIn, type SqlNode, type SqlTree, textOf, walk } from './tree/node.ts';
export type { NodeType, Role } from './tree/node-types.ts';
export { showTree } from './tree/show-tree.ts';
