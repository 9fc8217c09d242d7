/** The semantic model: read, checked, and made use of. */

export { addDescriptions } from './add-descriptions.ts';
export { addSemanticKeys } from './add-semantic-keys.ts';
export { checkSemanticModel } from './check-semantic-model.ts';
export { checkSemanticSql, columnsInSql } from './check-semantic-sql.ts';
export { checkSemanticValues } from './check-semantic-values.ts';
export { findDatasetTable } from './find-dataset-table.ts';
export { learnAnswer } from './learn-answer.ts';
export {
  emptySemanticModel,
  readSemanticModel,
  readSemanticTexts,
  SEMANTIC_NAMES,
} from './read-semantic-model.ts';
export { accessPolicyOf } from './semantic-access-policy.ts';
export type {
  Dataset,
  Dimension,
  Metric,
  Relationship,
  SemanticModel,
  TimeRules,
  ValueMapping,
} from './semantic-model.ts';
export { type SemanticNotes, semanticNotes } from './semantic-notes.ts';
