/** The validation stage: may this SQL run, and if not, what is wrong with it. */
export { type Diagnosis, type DiagnosisContext, diagnoseSql } from './diagnose-sql.ts';
export { type EngineError, lastPart, readEngineError, stillMeets, textNames } from './engine-error.ts';
export { ENGINE_ERROR_KINDS, type EngineErrorKind } from './engine-error-kinds.ts';
export { accountForWords, type LedgerContext, tellingWords } from './ledger/index.ts';
export type { Problem, ProblemKind } from './problem.ts';
export type { ValidationContext } from './rule.ts';
export { type Definitions, findBrokenDefinitions } from './rules/definitions/find-broken-definitions.ts';
export { type ValidationResult, validateSql } from './validate-sql.ts';
export { weighProblems } from './weigh-problems.ts';
