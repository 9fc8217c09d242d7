/** What Candor knows beside the catalog: business words, verified pairs, values. */
export { accessPolicyOf } from './access-policy-of.ts';
export { addSemanticKeys } from './add-semantic-keys.ts';
export { checkSemanticModel } from './check-semantic-model.ts';
export { checkSemanticSql } from './check-semantic-sql.ts';
export { type DerivedData, DerivedStore, type StoredState, type StoreKey } from './derived-store.ts';
export { type ProfileSettings, profileTables, type TableCounts } from './profile-tables.ts';
export { readExamples, type VerifiedPair } from './read-examples.ts';
export { emptySemanticModel, readSemanticModel } from './read-semantic-model.ts';
export { type KnownData, restrictKnowledge } from './restrict-knowledge.ts';
export type {
  Dataset,
  Dimension,
  Metric,
  Relationship,
  SemanticModel,
  TimeRules,
  VagueTerm,
  ValueMapping,
} from './semantic-model.ts';
export {
  buildValueIndex,
  foldValue,
  loadValueIndex,
  type StoredValueIndex,
  type ValueHit,
  type ValueIndex,
} from './value-index.ts';
