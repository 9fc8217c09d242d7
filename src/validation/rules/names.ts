import { findNames, type NameProblem, type SqlTree } from '../../sql/index.ts';
import { type RuleResult, ruleResult, type ValidationContext } from '../rule.ts';

/** Every table and column exists and is meant without doubt. */
export function checkNames(tree: SqlTree, { catalog }: ValidationContext): RuleResult {
  return ruleResult('names', findNames(tree, catalog).problems.map(describeProblem));
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
