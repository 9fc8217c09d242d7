import type { Dimension, Metric } from '../../../../knowledge/semantic/index.ts';
import type { DatePart } from '../../../../sql/dialects/index.ts';
import type { AggregateFunction, Comparison } from '../../../../sql/print/index.ts';
import type { Mention, ValueMatch } from '../../question/mention/mention.ts';
import type { TimeWindow } from '../../question/read/find-times.ts';

/** What a question about metrics asks for, in the words of the semantic model. */
export interface MetricFrame {
  readonly metrics: readonly { readonly metric: Metric; readonly mention: Mention }[];
  readonly groups: readonly GroupTerm[];
  readonly filters: readonly FilterTerm[];
  readonly windows: readonly TimeWindow[];
  readonly order?: MetricOrder;
  /** "top 2 series per brand": how many rows for each of the groups after the first. */
  readonly isPerGroup: boolean;
  readonly having?: {
    readonly operator: Comparison;
    readonly number?: number;
    /** "15 %": of a rate, which is a fraction. */
    readonly isPercent?: boolean;
    readonly isAverage: boolean;
    readonly mention: Mention;
    /** The mention of the number. */
    readonly at?: number;
    /** "more than 100 orders": the figure that must pass, where it is named. */
    readonly metric?: Metric;
  };
  /** "Halden's price above Kestrel's": two values of one dimension set against each other. */
  readonly isContrast: boolean;
  /** "weekdays versus weekends": both figures, not by how much they differ. */
  readonly isVersus?: boolean;
  /** "fewer orders in 2024 than in 2023": how the first period must stand to the second. */
  readonly comparesPeriods?: Comparison;
  /** "2023 versus 2024": periods beside each other. */
  readonly isBeside?: boolean;
  /** "how did the ranking of cities change": the rank of each group in two periods. */
  readonly showsRanks: boolean;
  /** "running total": each step with all before it. */
  readonly isRunning?: boolean;
  /** "no orders", "never ordered": the rows that are looked for have none of these. */
  /** "sold": the verb that was read as a figure. */
  readonly sale?: Mention;
  readonly absence?: { readonly mention: Mention; readonly metric: Metric };
  readonly isShare: boolean;
  readonly isPercent: boolean;
  readonly growth?: 'rate' | 'difference' | 'previous';
  /** "which city had the most …": the groups are asked for, not their figures. */
  readonly hidesValue: boolean;
  /** "how many dealers had …": count the groups instead of showing them. */
  readonly countsGroups: boolean;
  /** "the average monthly revenue": the figures of the groups made into one. */
  readonly summary?: AggregateFunction;
  /** "median order price": the value in the middle, in place of the average that the metric is. */
  readonly percent?: number;
  /** Words that choose among several links to the same table ("registered", "sales area"). */
  readonly roles: readonly string[];
  readonly unknown: readonly UnknownTerm[];
  /** Token index of the share or growth word; tells the part from the whole. */
  readonly shareAt?: number;
}

export interface MetricOrder {
  readonly direction: 'asc' | 'desc';
  readonly limit?: number;
  /** "sorted by name": the group that orders the rows; absent where their figure does. */
  readonly by?: GroupTerm;
  /** "the most orders": the figure that ranks, where it is named behind the ranking. */
  readonly metric?: Metric;
  /** "the second best": the one row that is wanted. */
  readonly place?: number;
  readonly mention: Mention;
}

export type GroupTerm =
  | {
      readonly kind: 'dimension';
      readonly candidates: readonly Dimension[];
      readonly mention: Mention;
      readonly isEach: boolean;
    }
  | { readonly kind: 'time'; readonly part: DatePart; readonly mention: Mention; readonly isEach: boolean };

export interface FilterTerm {
  readonly values: readonly (readonly ValueMatch[])[];
  /** Dimensions named beside the value ("province of Carrow"). */
  readonly named: readonly Dimension[];
  readonly isNegated: boolean;
  readonly mention: Mention;
  /** Stands after the verb: "orders in Carrow that were electric". */
  readonly isPredicate: boolean;
  /** "more than two failed attempts": how many such rows there must be. */
  readonly isCounted?: boolean;
  /** "at least two failed attempts": how many such rows of the many side there are, and the words that say so. */
  readonly rows?: {
    readonly operator: Comparison;
    readonly number: number;
    readonly said: readonly Mention[];
  };
  /** "average price in USD": the only one of several figures that it narrows. */
  readonly onlyOf?: string;
}

export interface UnknownTerm {
  readonly text: string;
  /** Where it stands tells what is missing. */
  readonly place: 'group' | 'metric' | 'filter';
  readonly mention: Mention;
}
