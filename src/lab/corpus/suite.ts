/** What an evaluation asks and what is due for an answer. Gold SQL lives in these objects and never leaves `lab/`. */
import type { Clarify, RejectReason } from '../../answer.ts';

/** Every suite `candor eval` knows; the held-out ones measure only, no rule is made for their questions. */
export const SUITE_NAMES = [
  'spider',
  'spider-train',
  'bird',
  'bird-proxy',
  'defog',
  'chinook',
  'sakila',
  'motors',
  'chinook-held-out',
  'sakila-held-out',
  'motors-held-out',
  'chinook-held-out-2',
  'sakila-held-out-2',
  'motors-held-out-2',
  'chinook-held-out-3',
  'sakila-held-out-3',
  'motors-held-out-3',
  'motors-held-out-4',
  'everyday',
  'everyday-held-out',
  'everyday-2',
] as const;

export type SuiteName = (typeof SUITE_NAMES)[number];

/** How two results are compared, see docs/guides/evaluation.md. */
export type ComparisonPolicy = 'spider' | 'answer' | 'bird' | 'defog' | 'strict';

/** The outcome that is due. Only its kind decides whether an outcome is right; the other words are reported apart. */
export type Expected =
  | {
      readonly kind: 'answered';
      readonly sql: string;
      readonly orderMatters: boolean;
      /** Other gold queries; the result of any is right. */
      readonly alternatives?: readonly string[];
    }
  | { readonly kind: 'reject'; readonly reason?: RejectReason; readonly missing?: string }
  | { readonly kind: 'clarify'; readonly gap?: Clarify['gap'] }
  | { readonly kind: 'follow_up'; readonly metric?: string; readonly dimension?: string }
  | { readonly kind: 'abstain' };

export interface EvaluationCase {
  readonly id: string;
  /** Place in the whole suite, from 0; even and odd places are the two halves. */
  readonly index: number;
  /** Name for people, and of the cache folder. */
  readonly database: string;
  readonly databaseUrl: string;
  readonly question: string;
  /** Outside knowledge that the source gives with the question. */
  readonly hint?: string;
  readonly category?: string;
  readonly hardness?: string;
  readonly tags: readonly string[];
  /** The day that "today" means, YYYY-MM-DD. */
  readonly now: string;
  /** A query that failed before and the engine's words, for questions that ask to mend it. */
  readonly previous?: { readonly sql: string; readonly error: string };
  readonly expect: Expected;
}

export interface Suite {
  readonly name: SuiteName;
  readonly cases: readonly EvaluationCase[];
  readonly policy: ComparisonPolicy;
  /** Cases of the source that cannot be run, and why. */
  readonly excluded: { readonly cases: number; readonly why: string };
  /** Project folder whose semantic model, notes and verified pairs the questions may use. */
  readonly project?: string;
}
