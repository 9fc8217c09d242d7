/** What choosing among candidates is given, and what it gives back. */
import type { ComparedResult, ResultPolicy } from '../../results/index.ts';
import type { SqlTree } from '../../sql/tree/index.ts';

/** One query to choose among, with everything known of it. */
export interface SelectionCandidate {
  /** The draw it came from, each its own: the last tie-break, so that the order of the list says nothing. */
  readonly index: number;
  /** Absent where the text could not be read. */
  readonly tree?: SqlTree;
  /** What forbids it, as clauses for people (`no table has a column nmae`); empty: it passed the checks. */
  readonly problems: readonly string[];
  readonly outcome: CandidateOutcome;
  /** Signs that do not forbid it, as clauses: a value that the column does not hold, a comparison of two types. */
  readonly doubts?: readonly string[];
  /** How much its voice counts: what is known of its source. Above 0; 1 where absent. */
  readonly weight?: number;
  /** Share of the tests it passed, in [0, 1]; absent: there were none. */
  readonly testsPassed?: number;
  /** Probability that it is wrong, in [0, 1]; absent: not assessed. */
  readonly risk?: number;
  /** Whether the database holds all values it asks for; absent: not looked up. */
  readonly literalsExist?: boolean;
}

export type CandidateOutcome =
  | { readonly kind: 'rows'; readonly result: ComparedResult }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'not-run' };

export interface SelectionOptions {
  /** When two results are the same; by default bags of rows, columns in any order, tolerance 1e-3. */
  readonly results?: Partial<ResultPolicy>;
  /** What a voice for no rows, or for NULLs alone, counts beside voices for rows. */
  readonly emptyWeight?: number;
  /** What the voice of a candidate with doubts counts. */
  readonly doubtWeight?: number;
  /** Share of tests that counts as passed. */
  readonly testsThreshold?: number;
}

export type SelectionStep = 'alone' | 'agreement' | 'literals' | 'tests' | 'risk' | 'simplicity' | 'index';

/** Candidates that say the same. */
export interface SelectionGroup {
  /** Places in the list that was given, the one to take first. */
  readonly members: readonly number[];
  /** Sum of the voices for it. */
  readonly support: number;
  /** `support` among all groups, in [0, 1]. */
  readonly share: number;
  /** Rows of its result; absent where nothing was run. */
  readonly rows?: number;
}

export interface Selection {
  /** Place in the list that was given; undefined: no candidate is sound. */
  readonly chosen: number | undefined;
  /** Of the sound candidates, the one chosen from first. */
  readonly groups: readonly SelectionGroup[];
  /** What told the chosen one from the next best; undefined: none was chosen. */
  readonly decidedBy: SelectionStep | undefined;
  /** Sentences for people. */
  readonly reasons: readonly string[];
}
