/** What may be wrong with a query. */
import type { FaultKind } from '../faults/index.ts';
import type { Span } from '../sql/index.ts';

export type ProblemKind =
  | 'parse'
  | 'not-read-only'
  | FaultKind
  /** It reads a system catalog of an engine, which is refused whatever the name is like. */
  | 'system-table'
  /** A sum or average over rows that a join repeats. */
  | 'fan-out'
  /** Two tables joined by columns that no key connects, where a key does connect the tables. */
  | 'wrong-join'
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
