/** Which tables and columns a question means, without a model. */

export { COLUMN_FEATURES, type ColumnMatrix, columnMatrix } from './column-features.ts';
export { CONTEXT_FEATURES, formOpinion, withContext } from './context-features.ts';
export {
  GROUNDED_LINK_DEFAULTS,
  type GroundedLinkSettings,
  groundedLinkReasoner,
} from './grounded-link-reasoner.ts';
export { type PreparedLinker, prepareLinker, rankedQuestion } from './prepare-linker.ts';
export type { RankedQuestion } from './question-words.ts';
export { type QuestionWords, readQuestionWords } from './question-words.ts';
export { type LinkForests, openLinkForests, scoreColumns } from './rank-schema.ts';
export {
  CHOICE_RISKS,
  type ChoiceRisks,
  formSchemaOpinion,
  keepTables,
  type SchemaOpinion,
} from './schema-opinion.ts';
export { TABLE_FEATURES, tableMatrix } from './table-features.ts';
