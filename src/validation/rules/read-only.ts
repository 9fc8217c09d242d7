import { checkReadOnly, type ParsedQuery } from '../../sql/index.ts';
import { type RuleResult, ruleResult } from '../rule.ts';

/** The query is one statement that only reads. */
export function checkReads(query: ParsedQuery): RuleResult {
  const verdict = checkReadOnly(query);
  return ruleResult('read-only', verdict.readOnly ? [] : [verdict.reason]);
}
