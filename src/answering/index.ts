export { readOwnRecord } from './answer/answer-records.ts';
export { answerClarification } from './answer-clarification.ts';
export { type AskOptions, ask } from './ask.ts';
export {
  type RunSqlOptions,
  runSql,
  type SqlOutcome,
  type SqlPlanned,
  type SqlRefused,
  type SqlRows,
} from './assess/run-sql.ts';
export { type ModelRoles, openModelRoles } from './candidates/model-roles.ts';
export { choiceEffectText } from './clarify/choice-effect-text.ts';
export { fillClarifyOptions } from './clarify/fill-clarify-options.ts';
export { buildSqlPrompt } from './prompt/build-sql-prompt.ts';
export { type DescribeOutcome, describeTables } from './prompt/describe/describe-tables.ts';
export {
  type DescriptionPlan,
  planDescriptions,
} from './prompt/describe/plan-descriptions.ts';
export { type LinkedQuestion, linkingOf, linkQuestion, openLinking } from './prompt/link-question.ts';
export { assembleContext, fitsWhole, type QuestionContext } from './prompt/question-context.ts';
export {
  type ExplainedDecision,
  type ExplainedQuestion,
  type ExplainedReading,
  explainQuestion,
} from './question/explain-question.ts';
export { readRequest } from './question/read-request.ts';
export { suggestQuestions, whatFollows } from './question/suggest-questions.ts';
export { listRecords, replay } from './replay.ts';
export { resolveTableScope } from './resolve-table-scope.ts';
export {
  type Fix,
  type FixChange,
  type FixOffer,
  type FixOptions,
  fixQuery,
  type LeftToMend,
  type Mended,
} from './review/fix-query.ts';
export { mendWithModel } from './review/fix-with-model.ts';
export { DEFAULT_TARGET_RISK, type Repair, type Review, reviewQuery } from './review/review-query.ts';
export { replacedWords, saveCorrection } from './review/save-correction.ts';
