import type { DatePart } from '../../../../sql/dialects/index.ts';
import type { AggregateFunction, Comparison, Predicate } from '../../../../sql/print/index.ts';
import type { BoundExpression } from '../../question/mention/definition.ts';
import type { Mention } from '../../question/mention/mention.ts';

/**
 * What a question asks for, before its words are bound to tables and columns: slots filled with mentions.
 * The resolver binds every slot; one frame gives several readings.
 */
export interface Frame {
  projections: Projection[];
  /** Nouns that name what the question is about without being shown. */
  contexts: Mention[];
  filters: FilterSlot[];
  groups: Mention[];
  /** "for each year": grains of the subject's date. */
  grains: { readonly part: DatePart; readonly mention: Mention }[];
  orders: OrderSlot[];
  havings: HavingSlot[];
  /** "without any X": rows of the subject that have no row in X. */
  absences: AbsenceSlot[];
  /** "with orders but without claims": what the rows must have, where something else is denied of them. */
  presences: Mention[];
  /** Conditions of a hint that no slot can hold. */
  stated: StatedCondition[];
  limit?: number;
  /** "which three countries": the number that stands before what is asked for. */
  countBefore?: Mention;
  isDistinct: boolean;
  /** "the second most expensive": which row of the ranking. */
  place?: { readonly number: number; readonly mention: Mention };
  /** The count is asked for as a part of all rows. */
  share?: { readonly isPercent: boolean };
  /** "the difference between the highest and the lowest": the two figures that are shown are one. */
  spread?: 'difference' | 'ratio';
  /** "running total": each step of time with all before it. */
  running?: Mention;
  /** "top 3 artists by number of tracks": the number is part of the answer. */
  rankedCount?: Mention;
  /** "on average", "in total" behind a superlative: what the ranked figure is. */
  overall?: 'avg' | 'sum';
  /** Words of structure that no rule could use; the question asks for more than the frame holds. */
  dangling: Mention[];
  /** Words that ask for a second thing, which no query here tells: nothing is answered over them. */
  unread: Mention[];
  /** Columns that waited for a comparison in vain. */
  lost: Mention[];
  /** Names of the rules that fired, in order. */
  rules: string[];
  /** Mentions a rule has used. */
  used: Set<number>;
}

/** A condition that is bound already. */
export interface StatedCondition {
  readonly predicate: Predicate;
  readonly tables: readonly string[];
  readonly mention: Mention;
}

export interface Projection {
  /** A formula of a hint, bound already. */
  readonly figure?: BoundExpression;
  readonly aggregate?: AggregateFunction;
  /** The value that so many of a hundred are not above: 50 is the median. The aggregate says that it is a figure of numbers. */
  readonly percent?: number;
  readonly isDistinct: boolean;
  /** Every column of the table is asked for. */
  readonly isWhole?: boolean;
  /** Absent for a bare `COUNT(*)`. */
  readonly noun?: Mention;
  /** Words that stand for the column when no noun does ("when" → date). */
  readonly attributes?: readonly string[];
}

export type Operand =
  | { readonly kind: 'value'; readonly mention: Mention }
  | { readonly kind: 'number'; readonly number: number; readonly unit?: string; readonly mention: Mention }
  | { readonly kind: 'text'; readonly text: string; readonly mention: Mention }
  | StatisticOperand;

/** "the average salary of teachers in Bath": a figure of a column, over the rows that pass conditions of its own. */
export interface StatisticOperand {
  readonly kind: 'statistic';
  readonly function: 'avg' | 'min' | 'max';
  readonly noun?: Mention;
  readonly filters: FilterSlot[];
  readonly mention: Mention;
}

export interface FilterSlot {
  /** The noun the filter speaks of; absent when only the value tells ("from France"). */
  readonly noun?: Mention;
  /** Words that stand for the column when no noun does ("older than" → age). */
  readonly attributes: readonly string[];
  readonly operator: Comparison | 'between' | 'like-start' | 'like-end' | 'like-anywhere' | 'null';
  readonly operands: readonly Operand[];
  readonly isNegated: boolean;
  /** "never had less than 7": that there is such a row is denied; the operator may be turned round already. */
  readonly isDenied?: boolean;
  /** "the same city as Ana": what the row of the value has in the column of the noun. */
  readonly isSame?: true;
  /** "milk and cats": every operand is named beside the others, none instead of another. */
  readonly isAll?: boolean;
  /** "does Iron Maiden have", "by Iron Maiden": the value owns what is counted, so it is not a part of it. */
  readonly isOwner?: boolean;
  /** The table whose column `noun` names. */
  readonly owner?: Mention;
  /** How this filter joins the one before it. */
  readonly connective: 'and' | 'or' | 'both';
  readonly mention: Mention;
}

export interface OrderSlot {
  /** A formula of a hint, bound already. */
  readonly figure?: BoundExpression;
  readonly noun?: Mention;
  readonly aggregate?: AggregateFunction;
  /** Order by the number of rows (of `noun` when given). */
  readonly isCount: boolean;
  readonly attributes: readonly string[];
  readonly direction: 'asc' | 'desc';
  readonly isSuperlative: boolean;
  /** "the most freight": how much there is of it in all. */
  readonly isAmount?: boolean;
  readonly mention: Mention;
}

export interface HavingSlot {
  /** Table whose rows are counted, or column that is aggregated. */
  readonly noun?: Mention;
  /** Words that stand for the column when no noun does ("spent" → total). */
  readonly attributes?: readonly string[];
  readonly aggregate: AggregateFunction;
  readonly operator: Comparison;
  readonly number: number;
  /** How this condition joins the one before it. */
  readonly connective: 'and' | 'or';
  readonly mention: Mention;
}

export interface AbsenceSlot {
  /** Missing where only "nothing" is said. */
  readonly noun?: Mention;
  readonly filters: FilterSlot[];
  /** "without orders shipped late": what holds of the rows that are missing. */
  readonly stated: StatedCondition[];
  readonly mention: Mention;
}

export function emptyFrame(): Frame {
  return {
    projections: [],
    contexts: [],
    filters: [],
    groups: [],
    grains: [],
    orders: [],
    havings: [],
    absences: [],
    presences: [],
    stated: [],
    isDistinct: false,
    dangling: [],
    unread: [],
    lost: [],
    rules: [],
    used: new Set(),
  };
}
