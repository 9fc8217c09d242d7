import type { Assumption, ChartKind, Option, RejectCause, RejectReason, Searched } from '../../answer.ts';
import type { Span } from '../../sql/dialects/index.ts';
import type { PrintedPart, Query } from '../../sql/print/index.ts';

/** One way to understand a question, as SQL, with how sure we are and what was not understood. */
export interface Reading {
  readonly query: Query;
  readonly sql: string;
  /** Parts of `sql` with the words or rule that caused them. */
  readonly parts: readonly PrintedPart[];
  /** How the question was understood, for people. */
  readonly explanation: string;
  /** In [0, 1]: that this reading is the right one. */
  readonly probability: number;
  /** Names of the composition rules that fired. */
  readonly rules: readonly string[];
  readonly assumptions: readonly Assumption[];
  readonly mentions: readonly MentionNote[];
  readonly unexplained: readonly MentionNote[];
  /** Metrics and dimensions of the semantic model the reading stands on. */
  readonly metrics: readonly string[];
  readonly dimensions: readonly string[];
}

/** A span of the question and what it was taken for. */
export interface MentionNote {
  readonly span: Span;
  readonly text: string;
  readonly meaning: string;
}

/** What a reasoner says about a question before any SQL is checked: readings, or why there is none. */
export interface Hypotheses {
  readonly readings: readonly Reading[];
  /** The rows are asked for as a chart: of a kind, or whichever fits them. */
  readonly chart?: ChartKind | 'fitting';
  readonly mentions: readonly MentionNote[];
  readonly unexplained: readonly MentionNote[];
  /** A boundary the reasoner saw: the question cannot or should not be answered as asked. */
  readonly boundary?: SeenBoundary;
}

/** What ends the reading of a question: a boundary, or words whose absence is looked into before anything is said of them. */
export type SeenBoundary = Boundary | UnreadWords;

/** Words that a reasoner could make nothing of. That says nothing of the data: see `askAboutWords` of the boundary. */
export interface UnreadWords {
  readonly kind: 'unread';
  /** What would be missing if nothing here were like them. */
  readonly reason: 'metric' | 'dimension' | 'scope';
  /** What they were for. */
  readonly use?: 'split' | 'figure' | 'narrow';
  /** As the question has them, in its order. */
  readonly phrases: readonly string[];
  /** Names that could stand in their place, the likeliest first. */
  readonly suggested: readonly string[];
}

export type Boundary =
  | {
      readonly kind: 'clarify';
      readonly gap: 'time' | 'intent' | 'term' | 'value' | 'join-path' | 'metric';
      readonly phrase: string;
      readonly ask: string;
      readonly options: readonly Option[];
      /** Options that the database tells: a query of one column, `{0}` stands for each of its values. */
      readonly choices?: { readonly sql: string; readonly label: string; readonly question: string };
      /** Why what was asked for is not answered, where something else is offered in its place. */
      readonly cause?: RejectCause;
    }
  | {
      readonly kind: 'follow_up';
      readonly metric: string;
      readonly dimension: string;
      readonly ask: string;
      readonly options: readonly Option[];
    }
  | {
      readonly kind: 'reject';
      readonly reason: RejectReason;
      readonly cause: RejectCause;
      readonly missing: string;
      readonly message: string;
      readonly nearest: readonly string[];
      /** The search that found nothing. */
      readonly searched?: readonly Searched[];
    };
