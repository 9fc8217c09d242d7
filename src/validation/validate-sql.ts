/** Checks SQL before it may run: parse, read-only, names, EXPLAIN. A rule that fails stops those after it. */
import type { Check } from '../answer.ts';
import type { RuleResult, ValidationContext } from './rule.ts';
import { checkExplain } from './rules/explain.ts';
import { checkNames } from './rules/names.ts';
import { checkParse } from './rules/parse.ts';
import { checkReads } from './rules/read-only.ts';

export interface ValidationResult {
  readonly ok: boolean;
  /** The checks that ran, in order; the last one is the one that failed, if any. */
  readonly checks: readonly Check[];
  /** All errors of the failed check. */
  readonly errors: readonly string[];
}

/** Validates one SQL text against the catalog and the engine; never runs it. */
export async function validateSql(sql: string, context: ValidationContext): Promise<ValidationResult> {
  const checks: Check[] = [];
  const passes = (result: RuleResult): boolean => {
    checks.push(result.check);
    return result.check.passed;
  };
  const failed = ({ errors }: RuleResult): ValidationResult => ({ ok: false, checks, errors });

  const parsed = checkParse(sql, context);
  if (!passes(parsed) || parsed.tree === undefined) return failed(parsed);
  const reads = checkReads(parsed.tree);
  if (!passes(reads)) return failed(reads);
  const named = checkNames(parsed.tree, context);
  if (!passes(named)) return failed(named);
  const explained = await checkExplain(sql, context);
  if (!passes(explained)) return failed(explained);
  return { ok: true, checks, errors: [] };
}
