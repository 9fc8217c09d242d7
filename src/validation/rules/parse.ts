import { type ParsedQuery, parse } from '../../sql/index.ts';
import { type RuleResult, ruleResult, type ValidationContext } from '../rule.ts';

/** The text is SQL of the dialect; gives the parsed query to the rules after it. */
export async function checkParse(
  sql: string,
  { database }: ValidationContext,
): Promise<RuleResult & { readonly query?: ParsedQuery }> {
  const parsed = await parse(sql, database.dialect);
  if (parsed.ok) return { ...ruleResult('parse', []), query: parsed.query };
  const { message, line, column } = parsed.error;
  return ruleResult('parse', [`line ${line}, column ${column}: ${message}`]);
}
