/**
 * The tree of a query that Candor writes itself. Plain data; `print-query.ts` turns it into dialect text and
 * says where every part with a cause stands. Names are raw, as the engine spells them.
 */
import type { DatePart } from '../dialects/dialect.ts';

/** Why a part stands in the query: an index into the reading's mentions, or a rule of ours. */
export interface Cause {
  readonly mention?: number;
  readonly why: string;
  readonly certainty: 'stated' | 'assumed' | 'uncertain';
}

export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max';

export type Expression =
  | { readonly kind: 'column'; readonly table: string; readonly column: string; readonly cause?: Cause }
  | { readonly kind: 'star' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null; readonly cause?: Cause }
  | { readonly kind: 'date'; readonly value: string; readonly cause?: Cause }
  | {
      readonly kind: 'aggregate';
      readonly function: AggregateFunction;
      readonly distinct: boolean;
      readonly argument: Expression;
      readonly cause?: Cause;
    }
  /** Text of the semantic model, parsed when the model was read. */
  | { readonly kind: 'raw'; readonly sql: string; readonly cause?: Cause }
  | {
      readonly kind: 'date-part';
      readonly part: DatePart;
      readonly argument: Expression;
      readonly cause?: Cause;
    }
  /** Days from one moment to another. */
  | {
      readonly kind: 'days-between';
      readonly from: Expression;
      readonly until: Expression;
      readonly cause?: Cause;
    }
  /** A count of time since 1970, in parts of a second, as the moment it stands for. */
  | {
      readonly kind: 'from-epoch';
      readonly perSecond: number;
      readonly argument: Expression;
      readonly cause?: Cause;
    }
  | {
      readonly kind: 'arithmetic';
      readonly operator: '+' | '-' | '*' | '/';
      readonly left: Expression;
      readonly right: Expression;
      readonly cause?: Cause;
    }
  /** `CASE WHEN … THEN … ELSE … END`; without `otherwise` it is NULL elsewhere. */
  | {
      readonly kind: 'case';
      readonly when: Predicate;
      readonly value: Expression;
      readonly otherwise?: Expression;
      readonly cause?: Cause;
    }
  | { readonly kind: 'subquery'; readonly query: Query }
  | {
      readonly kind: 'window';
      readonly function: 'row_number' | 'rank' | 'dense_rank' | 'sum' | 'count' | 'lag';
      readonly argument?: Expression;
      readonly partitionBy: readonly Expression[];
      readonly orderBy: readonly OrderItem[];
      readonly cause?: Cause;
    };

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Predicate =
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      readonly left: Expression;
      readonly right: Expression;
      readonly cause?: Cause;
    }
  | {
      readonly kind: 'between';
      readonly value: Expression;
      readonly low: Expression;
      readonly high: Expression;
      readonly cause?: Cause;
    }
  | {
      readonly kind: 'like';
      readonly value: Expression;
      /** With `\` before every `%` and `_` that is meant as such. */
      readonly pattern: string;
      readonly negated: boolean;
      readonly cause?: Cause;
    }
  | { readonly kind: 'null'; readonly value: Expression; readonly negated: boolean; readonly cause?: Cause }
  | {
      readonly kind: 'in';
      readonly value: Expression;
      readonly values: readonly Expression[];
      readonly negated: boolean;
      readonly cause?: Cause;
    }
  | {
      readonly kind: 'in-query';
      readonly value: Expression;
      readonly query: Query;
      readonly negated: boolean;
      readonly cause?: Cause;
    }
  | { readonly kind: 'raw'; readonly sql: string; readonly cause?: Cause }
  | { readonly kind: 'and'; readonly parts: readonly Predicate[] }
  | { readonly kind: 'or'; readonly parts: readonly Predicate[] };

export interface OrderItem {
  readonly expression: Expression;
  readonly direction: 'asc' | 'desc';
}

export interface SelectItem {
  readonly expression: Expression;
  readonly alias?: string;
}

export interface FromTable {
  /** Physical table or the name of a CTE. */
  readonly table: string;
  /** Names before it, where its own does not reach it. Columns never carry them. */
  readonly qualifier?: readonly string[];
  /** Name used by columns; the table's own name when absent. */
  readonly alias?: string;
  readonly cause?: Cause;
}

export interface Join {
  readonly kind: 'inner' | 'left';
  readonly table: FromTable;
  readonly on: readonly { readonly left: Expression; readonly right: Expression }[];
  readonly cause?: Cause;
}

export interface SelectQuery {
  readonly kind: 'select';
  readonly ctes?: readonly { readonly name: string; readonly query: Query }[];
  readonly distinct: boolean;
  readonly select: readonly SelectItem[];
  readonly from: FromTable;
  readonly joins: readonly Join[];
  readonly where: readonly Predicate[];
  readonly groupBy: readonly Expression[];
  readonly having: readonly Predicate[];
  readonly orderBy: readonly OrderItem[];
  readonly limit?: number;
}

export type Query =
  | SelectQuery
  | {
      readonly kind: 'set';
      readonly operator: 'union' | 'intersect' | 'except';
      readonly left: Query;
      readonly right: Query;
    };
