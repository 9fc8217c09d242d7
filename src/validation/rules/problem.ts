/** What may be wrong with a query. */
import type { FaultKind } from '../../faults/index.ts';
import type { Span } from '../../sql/dialects/index.ts';

type ProblemKind =
  | 'parse'
  | 'not-read-only'
  | FaultKind
  /** It reads a system catalog of an engine, which is refused whatever the name is like. */
  | 'system-table'
  /** A sum or average over rows that a join repeats. */
  | 'fan-out'
  /** A LIKE that is no search: its pattern has no wildcard. */
  | 'like-without-wildcard'
  /** NOT IN over a list that holds NULL: no row passes. */
  | 'not-in-null'
  /** Something that people have defined, and the query does not keep to. */
  | 'definition'
  /** What only the engine finds. */
  | 'refused'
  /** What an engine is said to have answered, where nothing else explains it. */
  | 'engine';

export interface Problem {
  readonly kind: ProblemKind;
  /** `error`: the engine refuses it; `warning`: it runs, and most likely is not what is meant. */
  readonly severity: 'error' | 'warning';
  /** Absent where the engine does not say the place. */
  readonly span?: Span;
  /** A sentence without its full stop. */
  readonly text: string;
  /** What exists and may be meant, nearest first. */
  readonly instead: readonly string[];
}

/** What does not parse or writes hides everything else, and an unknown table what is wrong with its columns. */
const HIDING: Partial<Record<Problem['kind'], number>> = {
  parse: 1e9,
  'not-read-only': 1e9,
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
