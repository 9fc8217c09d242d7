export { readOwnRecord } from './answer/answer-records.ts';
export { type AskOptions, answerClarification, ask } from './ask.ts';
export {
  type RunSqlOptions,
  runSql,
  type SqlOutcome,
  type SqlPlanned,
  type SqlRows,
} from './assess/run-sql.ts';
export { type ModelRoles, openModelRoles } from './candidates/model-roles.ts';
export { choiceEffectText } from './clarify/choice-effect.ts';
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
export { type Fix, type FixOffer, type FixOptions, fixQuery } from './review/fix-query.ts';
