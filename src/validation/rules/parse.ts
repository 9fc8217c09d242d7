import { parse, type SqlTree } from '../../sql/index.ts';
import { type RuleResult, ruleResult, type ValidationContext } from '../rule.ts';

/** The text is SQL of the dialect; gives its tree to the rules after it. */
export function checkParse(
  sql: string,
  { database }: ValidationContext,
): RuleResult & { readonly tree?: SqlTree } {
  const parsed = parse(sql, database.dialect);
  if (parsed.ok) return { ...ruleResult('parse', []), tree: parsed.tree };
  const { message, line, column } = parsed.error;
  return ruleResult('parse', [`line ${line}, column ${column}: ${message}`]);
}
