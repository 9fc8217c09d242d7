/** The SQL core: text to tree, names and lineage, the read-only verdict, rewriting, comparing, printing. */

export { type Complexity, complexity } from './compare/complexity.ts';
export { diff } from './compare/diff.ts';
export type { Difference, Edit, NodePair } from './compare/difference.ts';
export { type EquivalenceOptions, equivalence } from './compare/equivalence.ts';
export { type Hardness, hardness } from './compare/hardness.ts';
export { sameScalars } from './compare/is-same-around.ts';
export {
  type Component,
  type ComponentOptions,
  componentOverlap,
  components,
  similarity,
} from './compare/similarity.ts';
export type { Cell } from './dialects/cell.ts';
export type { DatePart, Dialect, DialectName } from './dialects/dialect.ts';
export { DIALECT_NAMES, DIALECTS, ENGINE_NAMES } from './dialects/dialects.ts';
export { lexSql, significantTokens, type Token, type TokenKind } from './dialects/lex-sql.ts';
export { inQuotes, quoteName, quoteText, withoutQuotes, writeName } from './dialects/quoting.ts';
export type { Span } from './dialects/span.ts';
export { checkDisguisedCalls, NO_SCHEMA } from './guard/check-disguised-calls.ts';
export {
  type AllowedCode,
  allowListOf,
  findOwnCode,
  type OwnCode,
  type OwnKind,
  type OwnThing,
  type OwnUse,
  redefining,
  withoutAllowed,
} from './guard/check-own-code.ts';
export { checkReadOnly, isSystemTableAnywhere, tableName } from './guard/check-read-only.ts';
export { checkTokens } from './guard/check-tokens.ts';
export { checkVisible, type HiddenName } from './guard/check-visible.ts';
export { READING } from './guard/reading-dialects.ts';
export type { ReadOnlyVerdict } from './guard/verdict.ts';
export type { NormalForm, NormalOptions } from './normal/normal-form.ts';
export { normalise, normalKey, resolverFromScopes } from './normal/normalise.ts';
export { operandsOf } from './normal/query-nodes.ts';
export { type Relation, relations } from './normal/relations.ts';
export { type ParseError, type ParseResult, parse } from './parser/parse.ts';
export { type FormattedSql, formatSql } from './print/format-sql.ts';
export {
  INVERSE_COMPARISON,
  type PrintedPart,
  type PrintedQuery,
  printQuery,
} from './print/print-query.ts';
export { type PrintOptions, printTree } from './print/print-tree.ts';
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
} from './print/query.ts';
export { addPredicates } from './rewrite/add-predicates.ts';
export {
  bindProperties,
  bindSamples,
  type PropertyValue,
  type SessionProperties,
} from './rewrite/bind-properties.ts';
export { filterTables, type TableFilters } from './rewrite/filter-tables.ts';
export { limitRows } from './rewrite/limit-rows.ts';
export { replaceTables, type TableQueries } from './rewrite/replace-tables.ts';
export {
  checkRestriction,
  FENCES,
  restrictTables,
  type TableRestriction,
  type TableRestrictions,
} from './rewrite/restrict-tables.ts';
export { type Patch, patchText, type RewriteResult } from './rewrite/rewrite-result.ts';
export { findNames, type NameProblem, type NamesFound } from './scope/find-names.ts';
export { type Items, items } from './scope/items.ts';
export { isAggregateCall } from './scope/read/aggregates.ts';
export { scopes } from './scope/scopes.ts';
export {
  type Home,
  type NamedColumn,
  type NamedSchema,
  type NamedTable,
  type OwnNames,
  tableOfId,
} from './scope/state/schema-index.ts';
export type {
  Family,
  Lineage,
  Reference,
  SchemaColumn,
  Scope,
  Scopes,
  Source,
} from './scope/state/scope.ts';
export { familyOf, types } from './scope/types.ts';
export { writtenTables } from './scope/written-tables.ts';
export type { Diagnostic, DiagnosticRule } from './transpile/translation/translation.ts';
export { type Transpiled, transpile } from './transpile/transpile.ts';
export { ancestor, child, childrenIn, type SqlNode, type SqlTree, textOf, walk } from './tree/node.ts';
export type { NodeType, Role } from './tree/node-types.ts';
export { showTree } from './tree/show-tree.ts';
export {
  REWRITTEN_LIMITS,
  STATEMENT_LIMITS,
  type StatementLimits,
  sizeOfTree,
  type TreeSize,
} from './tree/statement-limits.ts';
