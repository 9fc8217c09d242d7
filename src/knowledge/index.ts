/** What Candor knows beside the catalog: business words, verified pairs, values. */

export { readExamples, type VerifiedPair } from './authored/read-examples.ts';
export { type DerivedData, DerivedStore, type StoredState, type StoreKey } from './derived/derived-store.ts';
export { type ProfileSettings, profileTables, type TableCounts } from './derived/profile-tables.ts';
export { type KnownData, restrictKnowledge } from './derived/restrict-knowledge.ts';
export { accessPolicyOf } from './semantic/access-policy-of.ts';
export { addSemanticKeys } from './semantic/add-semantic-keys.ts';
export { checkSemanticModel } from './semantic/check-semantic-model.ts';
export { checkSemanticSql } from './semantic/check-semantic-sql.ts';
export { emptySemanticModel, readSemanticModel } from './semantic/read-semantic-model.ts';
export type {
  Dataset,
  Dimension,
  Metric,
  Relationship,
  SemanticModel,
  TimeRules,
  VagueTerm,
  ValueMapping,
} from './semantic/semantic-model.ts';
export {
  buildValueIndex,
  foldValue,
  loadValueIndex,
  type StoredValueIndex,
  type ValueHit,
  type ValueIndex,
} from './values/value-index.ts';
