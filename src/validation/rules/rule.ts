/** What a validation rule gets and gives. One file a rule, in the order of `validate-sql.ts`. */
import type { Check } from '../../answer.ts';
import type { Catalog } from '../../catalog/index.ts';
import type { Database } from '../../database/index.ts';

/** What the rules may use. */
export interface ValidationContext {
  readonly catalog: Catalog;
  readonly database: Database;
  readonly signal?: AbortSignal;
}

/** A rule passes, or gives all its errors at once: sentences that a person or a repair can work with. */
export interface RuleResult {
  readonly check: Check;
  readonly errors: readonly string[];
}

/** The result of a rule of that name: passed when there are no errors. */
export function ruleResult(name: Check['name'], errors: readonly string[]): RuleResult {
  const passed = errors.length === 0;
  return { check: passed ? { name, passed } : { name, passed, detail: errors.join('; ') }, errors };
}
