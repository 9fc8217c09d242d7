import type { Column } from '../../../catalog/index.ts';
import type { DatePart } from '../../../sql/dialects/index.ts';
import type { AggregateFunction, Comparison } from '../../../sql/print/index.ts';
import type { FilterSlot, StatedCondition } from '../compose/frame/frame.ts';
import type { BoundExpression } from '../question/mention/definition.ts';
import type { Mention } from '../question/mention/mention.ts';

/** A frame that is bound slot by slot: what is chosen so far and the tables it needs. */
export interface State {
  readonly projections: readonly BoundProjection[];
  readonly filters: readonly BoundFilter[];
  readonly groups: readonly BoundGroup[];
  readonly orders: readonly BoundOrder[];
  readonly havings: readonly BoundHaving[];
  readonly absences: Bound['absences'];
  readonly tables: readonly string[];
  readonly score: number;
}

/** A frame whose slots are bound to tables and columns: one reading of the question. */
export interface Bound {
  readonly projections: readonly BoundProjection[];
  readonly filters: readonly BoundFilter[];
  readonly groups: readonly BoundGroup[];
  readonly orders: readonly BoundOrder[];
  readonly havings: readonly BoundHaving[];
  readonly absences: readonly BoundAbsence[];
  readonly stated: readonly StatedCondition[];
  /** The table the question is about. */
  readonly subject: string;
  /** Tables that must be in the join tree. */
  readonly tables: ReadonlySet<string>;
  readonly score: number;
}

/** Rows of the subject that have no row in a table, or, for a presence, that have one. */
export interface BoundAbsence {
  readonly tableId: string;
  readonly filters: readonly BoundFilter[];
  readonly stated?: readonly StatedCondition[];
  readonly mention?: Mention;
  readonly isPresence?: boolean;
  /** How many such rows there must be. */
  readonly having?: { readonly operator: Comparison; readonly number: number };
  readonly connective?: 'and' | 'or';
}

export interface BoundProjection {
  readonly aggregate?: AggregateFunction;
  readonly percent?: number;
  readonly isDistinct: boolean;
  readonly column?: Column;
  /** A formula instead of a column. */
  readonly figure?: BoundExpression;
  /** For a count of rows: whose rows. */
  readonly countOf?: string;
  readonly mention?: Mention;
  readonly score: number;
}

export type BoundOperand =
  | { readonly kind: 'literal'; readonly value: string | number }
  | { readonly kind: 'range'; readonly from?: string; readonly until?: string }
  | {
      readonly kind: 'statistic';
      /** Absent for the value of one row. */
      readonly function?: 'avg' | 'min' | 'max';
      readonly column: Column;
      /** Which rows it is of. */
      readonly filters: readonly BoundFilter[];
    };

export interface BoundFilter {
  readonly column: Column;
  readonly operator: FilterSlot['operator'];
  readonly operands: readonly BoundOperand[];
  /** The other halves of full names: another column of the same row, with one operand for each. */
  readonly beside?: { readonly column: Column; readonly operands: readonly BoundOperand[] };
  readonly isNegated: boolean;
  /** All operands were named together, none instead of another. */
  readonly isAll?: boolean;
  /** That there is a row which passes is denied. */
  readonly isDenied?: boolean;
  readonly connective: FilterSlot['connective'];
  /** The question names the column itself, not only a value. */
  readonly isNamed?: boolean;
  /** The unit that the question says, where the column tells none: its numbers are taken to be in it. */
  readonly takenIn?: string;
  readonly mention: Mention;
  readonly score: number;
}

export interface BoundGroup {
  readonly tableId: string;
  /** Absent when the rows of the table themselves are the groups. */
  readonly column?: Column;
  /** Grain of the date in `column`. */
  readonly part?: DatePart;
  readonly mention: Mention;
}

export interface BoundOrder {
  readonly figure?: BoundExpression;
  readonly column?: Column;
  readonly countOf?: string;
  readonly isCount: boolean;
  readonly aggregate?: AggregateFunction;
  readonly direction: 'asc' | 'desc';
  readonly isSuperlative: boolean;
  /** "the most …": the figure may be spread over many rows. */
  readonly isTotal?: boolean;
  readonly mention: Mention;
}

export interface BoundHaving {
  readonly aggregate: AggregateFunction;
  readonly countOf?: string;
  readonly column?: Column;
  readonly operator: Comparison;
  readonly number: number;
  readonly connective?: 'and' | 'or';
  readonly mention: Mention;
}

/** One way to bind a slot: what it adds, the tables it needs, how good it is. */
export interface Choice<T> {
  readonly value: T;
  readonly tables: readonly string[];
  readonly score: number;
}
