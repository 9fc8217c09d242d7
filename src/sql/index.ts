/** The SQL core: text to tree, names and lineage, the read-only verdict, rewriting, comparing, printing. */

export { complexity } from './compare/complexity.ts';
export { diff } from './compare/diff.ts';
export { equivalence } from './compare/equivalence.ts';
export { hardness } from './compare/hardness.ts';
export { similarity } from './compare/similarity.ts';
export type { DialectName } from './dialects/dialect.ts';
export { lexSql } from './dialects/lex-sql.ts';
export { checkReadOnly } from './guard/check-read-only.ts';
export type { ReadOnlyVerdict } from './guard/check-tokens.ts';
export { normalise, normalKey } from './normal/normalise.ts';
export { type ParseError, type ParseResult, parse } from './parser/parse.ts';
export { formatSql } from './print/format-sql.ts';
export { printTree } from './print/print-tree.ts';
export { addPredicates } from './rewrite/add-predicates.ts';
export { filterTables } from './rewrite/filter-tables.ts';
export { limitRows } from './rewrite/limit-rows.ts';
export { replaceTables } from './rewrite/replace-tables.ts';
export { findNames } from './scope/find-names.ts';
export { items } from './scope/items.ts';
export { scopes } from './scope/scopes.ts';
export type { Scopes } from './scope/state/scope.ts';
export { types } from './scope/types.ts';
export { transpile } from './transpile/transpile.ts';
export { showTree } from './tree/show-tree.ts';
