/** What each name of a query means. */

export type { NameProblem } from './find-names.ts';
export { isAggregateCall } from './read/read-expression.ts';
export {
  type Home,
  type NamedSchema,
  type NamedTable,
  type OwnNames,
  tableOfId,
} from './state/schema-index.ts';
export type { Family, Reference, SchemaColumn, Scope, Source } from './state/scope.ts';
export { writtenTables } from './written-tables.ts';
