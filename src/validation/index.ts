/** The validation stage: may this SQL run, and if not, what is wrong with it. */
export { type DiagnosisContext, diagnoseSql } from './diagnose-sql.ts';
export { type EngineError, lastPart, readEngineError, stillMeets, textNames } from './engine-error.ts';
export { ENGINE_ERROR_KINDS } from './engine-error-kinds.ts';
export { accountForWords, tellingWords } from './ledger/index.ts';
export { findBrokenDefinitions } from './rules/definitions/find-broken-definitions.ts';
export { type Problem, weighProblems } from './rules/problem.ts';
export type { ValidationContext } from './rules/rule.ts';
export { validateSql } from './validate-sql.ts';
