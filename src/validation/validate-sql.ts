/** Checks SQL before it may run: parse, read-only, names, EXPLAIN. A rule that fails stops those after it. */
import type { Check } from '../answer.ts';
import { CandorError } from '../errors.ts';
import { checkReadOnly, findNames, parse } from '../sql/index.ts';
import type { NameProblem } from '../sql/scope/index.ts';
import type { SqlTree } from '../sql/tree/index.ts';
import { type RuleResult, ruleResult, type ValidationContext } from './rules/rule.ts';

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

/** The query is one statement that only reads. */
function checkReads(tree: SqlTree): RuleResult {
  const verdict = checkReadOnly(tree);
  return ruleResult('read-only', verdict.readOnly ? [] : [verdict.reason]);
}

/** The text is SQL of the dialect; gives its tree to the rules after it. */
function checkParse(sql: string, { database }: ValidationContext): RuleResult & { readonly tree?: SqlTree } {
  const parsed = parse(sql, database.dialect);
  if (parsed.ok) return { ...ruleResult('parse', []), tree: parsed.tree };
  const { message, line, column } = parsed.error;
  return ruleResult('parse', [`line ${line}, column ${column}: ${message}`]);
}

/** Every table and column exists and is meant without doubt. */
function checkNames(tree: SqlTree, { catalog }: ValidationContext): RuleResult {
  return ruleResult('names', findNames(tree, catalog).problems.map(describeProblem));
}

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

function describeProblem({ kind, name, nearest }: NameProblem): string {
  const choices = nearest.join(', ');
  switch (kind) {
    case 'unknown-table':
      return choices ? `no table ${name}; nearest: ${choices}` : `no table ${name}`;
    case 'unknown-column':
      return choices ? `no column ${name}; nearest: ${choices}` : `no column ${name}`;
    case 'ambiguous-column':
      return choices ? `column ${name} is ambiguous: ${choices}` : `column ${name} is ambiguous`;
  }
}
