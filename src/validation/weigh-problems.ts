import type { Problem } from './problem.ts';

/** What does not parse hides everything else, and an unknown table what is wrong with its columns. */
const HIDING: Partial<Record<Problem['kind'], number>> = {
  parse: 1e9,
  'unknown-table': 1e6,
  'system-table': 1e6,
};
const ERROR = 1_000;
const WARNING = 1;

/** How bad the problems of a query are, so that two versions of it can be compared: the lower is the better one. */
export function weighProblems(problems: readonly Problem[]): number {
  return problems.reduce(
    (sum, { kind, severity }) => sum + (severity === 'error' ? (HIDING[kind] ?? ERROR) : WARNING),
    0,
  );
}
