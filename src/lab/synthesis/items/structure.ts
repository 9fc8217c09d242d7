/** What a question asks for before it has words: metric, filters, groups, period and what is computed of them. */

/** A stored value as people call it. */
export interface Entity {
  readonly dimension: string;
  /** `table.column` */
  readonly column: string;
  readonly value: string | number;
  /** As a question says it. */
  readonly surface: string;
}

/** Days from `from` up to but not including `until`, both YYYY-MM-DD. */
export interface Period {
  readonly from: string;
  readonly until: string;
  /** "in March 2024" */
  readonly phrase: string;
  /** "March 2024", for places where "in" does not fit. */
  readonly label: string;
  readonly grain: 'year' | 'half' | 'quarter' | 'month';
}

export interface Ranking {
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
}

/** What is computed of the figures, beyond showing them. */
export type Step =
  /** From the period `before` to the structure's own, by group where there are groups. */
  | { readonly kind: 'growth'; readonly before: Period }
  | { readonly kind: 'difference'; readonly before: Period }
  /** Of the figure of all, what the entity holds. */
  | { readonly kind: 'share'; readonly of: Entity; readonly inPercent: boolean }
  /** Of the figure of all, what each group holds. */
  | { readonly kind: 'shares'; readonly inPercent: boolean }
  /** In points, from the period `before` to the structure's own. */
  | { readonly kind: 'share-change'; readonly of: Entity; readonly before: Period }
  /** The best groups of the second dimension for each value of the first. */
  | { readonly kind: 'top-per-group'; readonly limit: number }
  /** Groups above the mean of the groups. */
  | { readonly kind: 'above-average' }
  /** Rank of each group in two periods. */
  | { readonly kind: 'rank-change'; readonly before: Period }
  /** The time group with the largest rise over the one before. */
  | { readonly kind: 'largest-rise' }
  /** Mean of the figures of the groups. */
  | { readonly kind: 'average-of-groups' }
  /** How many groups lie above a figure. */
  | { readonly kind: 'count-above'; readonly threshold: number };

export interface Structure {
  readonly templateId: string;
  readonly metric: string;
  readonly filters: readonly Entity[];
  /** Names of dimensions. */
  readonly groups: readonly string[];
  /** Absent: the question names none, and the time rule of the semantic model holds. */
  readonly period?: Period;
  readonly ranking?: Ranking;
  readonly step?: Step;
}
