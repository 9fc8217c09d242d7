/** The SQL core: text to tree, names and lineage, the read-only verdict, rewriting, comparing, printing. */

export type { Cell } from './cell.ts';
export { type Complexity, complexity } from './compare/complexity.ts';
export { type Component, type ComponentOptions, components } from './compare/components.ts';
export { diff } from './compare/diff.ts';
export type { Difference, Edit, NodePair } from './compare/difference.ts';
export { type EquivalenceOptions, equivalence } from './compare/equivalence.ts';
export { type Hardness, hardness } from './compare/hardness.ts';
export { isAggregateCall } from './compare/is-aggregate-call.ts';
export type { NormalForm } from './compare/normal-form.ts';
export { normalKey } from './compare/normal-key.ts';
export type { NormalOptions } from './compare/normal-options.ts';
export { normalise } from './compare/normalise.ts';
export { operandsOf } from './compare/operands.ts';
export { type Relation, relations } from './compare/relations.ts';
export { resolverFromScopes } from './compare/resolver-from-scopes.ts';
export { sameScalars } from './compare/same-scalars.ts';
export { componentOverlap, similarity } from './compare/similarity.ts';
export { compareText } from './compare-text.ts';
export type { DatePart, Dialect, DialectName } from './dialect.ts';
export { DIALECT_NAMES, DIALECTS, ENGINE_NAMES } from './dialects.ts';
export { type FormattedSql, formatSql } from './format-sql.ts';
export { checkDisguisedCalls, NO_SCHEMA } from './guard/check-disguised-calls.ts';
export { findOwnCode, type OwnUse } from './guard/check-own-code.ts';
export { checkReadOnly } from './guard/check-read-only.ts';
export { checkTokens } from './guard/check-tokens.ts';
export { checkVisible, type HiddenName } from './guard/check-visible.ts';
export {
  type AllowedCode,
  allowListOf,
  type OwnCode,
  type OwnKind,
  type OwnThing,
  redefining,
  withoutAllowed,
} from './guard/own-code.ts';
export { READING } from './guard/reading-dialects.ts';
export { isSystemTableAnywhere, tableName } from './guard/system-table.ts';
export type { ReadOnlyVerdict } from './guard/verdict.ts';
export { INVERSE_COMPARISON } from './inverse-comparison.ts';
export { lexSql, significantTokens, type Token, type TokenKind } from './lex-sql.ts';
export { editDistance, nearestNames } from './nearest-name.ts';
export { type ParseError, type ParseResult, parse } from './parser/parse.ts';
export { type PrintOptions, printTree } from './print/print-tree.ts';
export { type PrintedPart, type PrintedQuery, printQuery, quoteName, quoteText } from './print-query.ts';
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
export { addPredicates } from './rewrite/add-predicates.ts';
export {
  bindProperties,
  bindSamples,
  type PropertyValue,
  type SessionProperties,
} from './rewrite/bind-properties.ts';
export { FENCES } from './rewrite/fence.ts';
export { filterTables, type TableFilters } from './rewrite/filter-tables.ts';
export { limitRows } from './rewrite/limit-rows.ts';
export { type Patch, patchText } from './rewrite/patch-text.ts';
export { replaceTables, type TableQueries } from './rewrite/replace-tables.ts';
export {
  checkRestriction,
  restrictTables,
  type TableRestriction,
  type TableRestrictions,
} from './rewrite/restrict-tables.ts';
export type { RewriteResult } from './rewrite/rewrite-result.ts';
export { findNames, type NameProblem, type NamesFound } from './scope/find-names.ts';
export { type Items, items } from './scope/items.ts';
export {
  type Home,
  type NamedColumn,
  type NamedSchema,
  type NamedTable,
  type OwnNames,
  tableOfId,
} from './scope/schema-index.ts';
export type { Family, Lineage, Reference, Scope, Scopes, Source } from './scope/scope.ts';
export { scopes } from './scope/scopes.ts';
export { familyOf } from './scope/type-family.ts';
export { types } from './scope/types.ts';
export { writtenTables } from './scope/written-tables.ts';
export type { Span } from './span.ts';
export { REWRITTEN_LIMITS, STATEMENT_LIMITS, type StatementLimits } from './statement-limits.ts';
export { sizeOfTree, type TreeSize } from './statement-size.ts';
export type { Diagnostic, DiagnosticRule } from './transpile/diagnostic.ts';
export { type Transpiled, transpile } from './transpile/transpile.ts';
export { ancestor, child, childrenIn, type SqlNode, type SqlTree, textOf, walk } from './tree/node.ts';
export type { NodeType, Role } from './tree/node-types.ts';
export { showTree } from './tree/show-tree.ts';
