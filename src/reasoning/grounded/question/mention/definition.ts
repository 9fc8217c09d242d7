/** What a hint says of words of the question, bound to the catalog: plain data. */
import type { Column } from '../../../../catalog/index.ts';
import type { AggregateFunction, Comparison, Expression, Predicate } from '../../../../sql/print/index.ts';

/** One statement of a hint: a phrase and what it stands for. */
export interface Definition {
  /** Words that the question may hold; empty where the hint names none. */
  readonly phrase: string;
  /** The statement as written. */
  readonly text: string;
  readonly meaning: Meaning;
}

/** A statement that could not be read, with the reason. */
interface UnreadStatement {
  readonly text: string;
  readonly because: string;
}

/** A hint as definitions; what is not understood is listed, never dropped. */
export interface ReadHint {
  readonly definitions: readonly Definition[];
  readonly unread: readonly UnreadStatement[];
}

/** Columns that one name of a hint may mean, likeliest first; the question decides among them. */
export type ColumnNames = readonly Column[];

/** The parts of a meaning hold together: "the slowest refers to MIN(value) where name = 'Speed'" ranks under a condition. */
export interface Meaning {
  readonly columns: readonly ColumnNames[];
  readonly conditions: readonly DefinedCondition[];
  readonly ranking?: DefinedRanking;
  readonly figure?: DefinedFigure;
  readonly having?: DefinedHaving;
  /** Ids of two columns that the hint sets equal: the key by which their tables are joined. */
  readonly joins: readonly (readonly [string, string])[];
  /** "Lise Becker is the full name": the phrase is a value of these columns. */
  readonly heldBy?: readonly ColumnNames[];
}

/** A comparison of a column with literals, as the database stores them. */
export interface LiteralCondition {
  readonly kind: 'literal';
  readonly columns: ColumnNames;
  readonly operator: Comparison | 'between' | 'in' | 'like-start' | 'like-end' | 'like-anywhere' | 'null';
  readonly values: readonly (string | number)[];
  readonly isNegated: boolean;
}

/** What is true or false of a row. */
export type Condition =
  | LiteralCondition
  | { readonly kind: 'predicate'; readonly predicate: Predicate; readonly tables: readonly string[] };

export interface DefinedCondition {
  /** Of several columns of one name with the likeliest. */
  readonly predicate: Predicate;
  readonly tables: readonly string[];
  /** Present where it is such a comparison: the question may then decide among the columns. */
  readonly literal?: LiteralCondition;
}

export interface DefinedRanking {
  readonly direction: 'asc' | 'desc';
  /** Of what is aggregated for each group; absent where rows are ranked. */
  readonly aggregate?: AggregateFunction;
  readonly columns: ColumnNames;
  /** What is ranked by where that is no plain column. */
  readonly figure?: BoundExpression;
}

export type DefinedFigure =
  | {
      readonly kind: 'aggregate';
      readonly function: AggregateFunction;
      readonly isDistinct: boolean;
      readonly columns: ColumnNames;
    }
  | ({ readonly kind: 'expression' } & BoundExpression);

/** An expression over columns of the catalog with the tables it needs. */
export interface BoundExpression {
  readonly expression: Expression;
  readonly tables: readonly string[];
  /** Conditions that stand inside: they are part of the figure and do not narrow the rows. */
  readonly inside: readonly Condition[];
}

export interface DefinedHaving {
  readonly aggregate: AggregateFunction;
  readonly columns: ColumnNames;
  readonly operator: Comparison;
  readonly number: number;
}
