export { answerClarification } from './answer-clarification.ts';
export { readOwnRecord } from './answer-records.ts';
export { type AskOptions, ask } from './ask.ts';
export { buildSqlPrompt } from './build-sql-prompt.ts';
export { choiceEffectText } from './choice-effect-text.ts';
export { type DescribeOutcome, describeTables } from './describe/describe-tables.ts';
export {
  type DescribeCall,
  type DescriptionPlan,
  planDescriptions,
} from './describe/plan-descriptions.ts';
export type { EngineVerdict } from './engine-verdict.ts';
export {
  type ExplainedDecision,
  type ExplainedQuestion,
  type ExplainedReading,
  explainQuestion,
} from './explain-question.ts';
export { fillClarifyOptions } from './fill-clarify-options.ts';
export {
  type Fix,
  type FixChange,
  type FixOptions,
  fixQuery,
  type LeftToMend,
  type Mended,
} from './fix-query.ts';
export { mendWithModel } from './fix-with-model.ts';
export { type LinkedQuestion, linkingOf, linkQuestion, openLinking } from './link-question.ts';
export { type ModelRoles, openModelRoles } from './model-roles.ts';
export { assembleContext, CONTEXT_TOKENS, fitsWhole, type QuestionContext } from './question-context.ts';
export { readRequest } from './read-request.ts';
export { listRecords, replay } from './replay.ts';
export { resolveTableScope } from './resolve-table-scope.ts';
export { DEFAULT_TARGET_RISK, type Repair, type Review, reviewQuery } from './review-query.ts';
export {
  type RunSqlOptions,
  runSql,
  type SqlOutcome,
  type SqlPlanned,
  type SqlRefused,
  type SqlRows,
} from './run-sql.ts';
export { replacedWords, saveCorrection } from './save-correction.ts';
export { suggestQuestions, whatFollows } from './suggest-questions.ts';
