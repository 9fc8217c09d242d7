/** The canonical form of a query: its clauses as lists of parts, each with a key that is equal for equal parts. */
import type { SqlNode, SqlTree } from '../tree/node.ts';

export interface NormalForm {
  readonly tree: SqlTree;
  /** Equal for statements that differ only in what the options take as the same. */
  readonly key: string;
  readonly query: NormalQuery;
}

/** A canonical piece of SQL and the node it was read from. */
export interface Part {
  readonly key: string;
  readonly node: SqlNode;
}

export type NormalQuery = NormalSelect | NormalSet | NormalOther;

interface NormalBase {
  readonly key: string;
  readonly node: SqlNode;
  readonly ctes: readonly NormalCte[];
  readonly order: readonly OrderPart[];
  readonly limit: Part | undefined;
  readonly offset: Part | undefined;
  /** Queries inside its expressions, not those of `ctes`, `sources` and `branches`. */
  readonly subqueries: readonly NormalQuery[];
}

export interface NormalSelect extends NormalBase {
  readonly kind: 'select';
  readonly distinct: Part | undefined;
  readonly items: readonly ItemPart[];
  readonly sources: readonly SourcePart[];
  /** Conditions of the inner joins, one by one; those of other joins stand with their source. */
  readonly on: readonly Part[];
  readonly where: readonly Part[];
  readonly group: readonly Part[];
  readonly having: readonly Part[];
  readonly qualify: readonly Part[];
  /** Rarely met parts: locks, samples, CONNECT BY, named windows, INTO. */
  readonly others: readonly Part[];
}

/** A set operation; one operand with ORDER BY or LIMIT around its brackets is one too, without operator. */
export interface NormalSet extends NormalBase {
  readonly kind: 'set';
  /** `union`, `union all`, `intersect`, …; empty for brackets. */
  readonly operator: string;
  /** Chains of one operator that may be reordered are one list. */
  readonly branches: readonly NormalQuery[];
}

/** VALUES, a statement that is no query, PIVOT as a statement. */
export interface NormalOther extends NormalBase {
  readonly kind: 'other';
  readonly rows: readonly Part[];
}

export interface NormalCte {
  readonly node: SqlNode;
  /** As other parts call it: `$1` for the first; its name says nothing. */
  readonly label: string;
  readonly query: NormalQuery;
}

/** An item of the select list; `name` is what the outside calls it, in lower case. */
export interface ItemPart extends Part {
  readonly name: string | undefined;
}

export interface SourcePart extends Part {
  /** `inner` for the first one too; `left`, `full`, `natural`, `left/inner` inside the brackets of a left join. */
  readonly join: string;
  /** The relation alone: `node` is the Join, `relation` the Table, Subquery or the like. */
  readonly relation: SqlNode;
  /** Conditions of a join that is not inner. */
  readonly on: readonly Part[];
  /** The query of a derived table. */
  readonly query: NormalQuery | undefined;
}

export interface OrderPart extends Part {
  /** ` desc`, ` nulls first` and the like; empty for the default. `key` is the expression without it. */
  readonly direction: string;
}

/** What the canonical form takes as the same; by default all that changes no result. */
export interface NormalOptions {
  /** What names mean, where a schema was at hand. Without it the FROM clauses of the tree alone tell. */
  readonly resolve?: (tree: SqlTree) => NameResolver;
  /** `COUNT(*) AS n` is another item than `COUNT(*)`. */
  readonly keepsAliases?: boolean;
  /** `COUNT(1)` is another call than `COUNT(*)`. */
  readonly keepsCounts?: boolean;
  /** Inner joins count in the order written, and conditions stay in the clause they stand in. */
  readonly keepsJoins?: boolean;
}

/** Asked for every Column; `undefined` leaves it to the walk over FROM. */
export type NameResolver = (column: SqlNode) => Meaning | undefined;

type Meaning =
  /** A column of this entry of FROM: its Table, Subquery, Unnest, … */
  | { readonly kind: 'source'; readonly node: SqlNode }
  /** A text in double quotes. */
  | { readonly kind: 'text' };
