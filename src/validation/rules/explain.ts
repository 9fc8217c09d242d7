import { CandorError } from '../../errors.ts';
import { type RuleResult, ruleResult, type ValidationContext } from './rule.ts';

/** The engine itself can plan the query. Only its verdict on the SQL counts; any other failure is thrown on. */
export async function checkExplain(
  sql: string,
  { database, signal }: ValidationContext,
): Promise<RuleResult> {
  try {
    await database.explain(sql, signal);
    return ruleResult('explain', []);
  } catch (error) {
    if (!(error instanceof CandorError) || error.code !== 'database.query-failed') throw error;
    return ruleResult('explain', [error.message]);
  }
}
