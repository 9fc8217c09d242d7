import { checkReadOnly, type SqlTree } from '../../sql/index.ts';
import { type RuleResult, ruleResult } from '../rule.ts';

/** The query is one statement that only reads. */
export function checkReads(tree: SqlTree): RuleResult {
  const verdict = checkReadOnly(tree);
  return ruleResult('read-only', verdict.readOnly ? [] : [verdict.reason]);
}
