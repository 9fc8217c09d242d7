/** The validation stage: may this SQL run, and if not, what is wrong with it. */
export type { ValidationContext } from './rule.ts';
export { type ValidationResult, validateSql } from './validate-sql.ts';
