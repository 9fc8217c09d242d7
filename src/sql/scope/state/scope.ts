/** What name resolution finds out about a tree: scopes, their sources and outputs, and what every name means. */
import type { SqlNode, SqlTree } from '../../tree/node.ts';

/** Everything known about the names of one tree. The three lists are indexed by node id. */
export interface Scopes {
  readonly tree: SqlTree;
  readonly schema: SchemaIndex;
  /** The scope of the whole statement; a statement that is no query has none. */
  readonly root: Scope | undefined;
  /** All scopes in the order of the text, outer before inner. */
  readonly all: readonly Scope[];
  /** The innermost scope a node stands in; a query node stands in its own. */
  readonly places: readonly (Scope | undefined)[];
  /** What each Column, star, USING name and name in EXCEPT of a star means. */
  readonly references: readonly (Reference | undefined)[];
  /** The source that a Table, Subquery, Unnest, Lateral, Values, Pivot in FROM makes. */
  readonly sources: readonly (Source | undefined)[];
}

export type ScopeKind = 'root' | 'cte' | 'derived' | 'subquery' | 'branch' | 'lateral';

/** One query: a Select, a set operation or Values. */
export interface Scope {
  readonly kind: ScopeKind;
  readonly query: SqlNode;
  /** The query this one stands in. */
  readonly parent: Scope | undefined;
  /** Where its names are looked for next; a derived table stands in a query whose sources it does not see. */
  readonly outer: Scope | undefined;
  /** In the order of FROM. */
  readonly sources: readonly Source[];
  /** Columns that USING or NATURAL made one, by lower-case name. */
  readonly merged: ReadonlyMap<string, MergedColumn>;
  /** The columns it shows. */
  readonly outputs: Columns;
}

/** One entry of FROM. */
export interface Source {
  readonly kind: SourceKind;
  readonly node: SqlNode;
  /** What a qualifier calls it, as written: the alias, or the name itself. */
  readonly name: string | undefined;
  /** The same in lower case. */
  readonly key: string | undefined;
  /** The Identifier of the alias, when there is one. */
  readonly alias: SqlNode | undefined;
  /** Catalog and schema as written before the name, lower case. */
  readonly path: readonly string[];
  readonly table: SchemaTable | undefined;
  /** The query behind a CTE or derived table. */
  readonly query: Scope | undefined;
  readonly columns: Columns;
}

export type SourceKind =
  | 'table'
  /** A table the schema does not have; its columns are open. */
  | 'unknown-table'
  | 'cte'
  | 'derived'
  | 'values'
  | 'function'
  /** The elements of an array: UNNEST, a path in FROM. */
  | 'array'
  /** What PIVOT, UNPIVOT or MATCH_RECOGNIZE makes of another source. */
  | 'pivot'
  /** `(a JOIN b …) AS x` */
  | 'group';

/** A list of columns in order; when names repeat, `byKey` has the first. */
export interface Columns {
  readonly list: readonly Output[];
  readonly byKey: ReadonlyMap<string, Output>;
  readonly repeated: ReadonlySet<string>;
  /** Some column is an expression without a name. */
  readonly hasNameless: boolean;
  /** Whether there may be more: `fields` are those of a value of unknown type, which rarely are meant. */
  readonly openness: 'none' | 'fields' | 'all';
}

/** One column that a query or a source shows. */
export interface Output {
  /** As spelled; `undefined` for an expression without a name. */
  readonly name: string | undefined;
  /** What a name must equal in lower case to mean it: for an expression without a name its text. */
  readonly key: string | undefined;
  readonly lineage: Lineage;
  readonly origin: Origin;
}

/** What the value of an output is, for its type. */
type Origin =
  | { readonly kind: 'schema'; readonly column: SchemaColumn }
  | { readonly kind: 'expression'; readonly node: SqlNode }
  /** An element of the array that the expression is. */
  | { readonly kind: 'element'; readonly node: SqlNode }
  /** The same value as these: a plain column, a set operation, a merged column. */
  | { readonly kind: 'outputs'; readonly outputs: readonly Output[] }
  | { readonly kind: 'family'; readonly family: Family }
  | { readonly kind: 'unknown' };

/** Families of types; what cannot be told stays unknown. */
export type Family = 'numeric' | 'text' | 'date' | 'bool' | 'other' | 'unknown';

/** Where a value comes from, down to the tables. */
export interface Lineage {
  /** It is the value of one of these columns, unchanged; several after a set operation or a merge. */
  readonly physical: readonly SchemaColumn[];
  /** It is computed from these. */
  readonly from: readonly SchemaColumn[];
  /** Columns of sources that the schema does not know. */
  readonly open: readonly OpenColumn[];
}

export interface OpenColumn {
  readonly source: Source;
  readonly name: string;
}

export interface MergedColumn {
  readonly output: Output;
  /** In the order of FROM. */
  readonly sources: readonly Source[];
  /** The same, to ask whether one is among them. */
  readonly holds: ReadonlySet<Source>;
}

/** A schema prepared for look-up. */
export interface SchemaIndex {
  readonly tables: readonly SchemaTable[];
  readonly byName: ReadonlyMap<string, readonly SchemaTable[]>;
  readonly byId: ReadonlyMap<string, SchemaTable>;
  /** Columns by lower-case name. */
  readonly columnsByName: ReadonlyMap<string, readonly SchemaColumn[]>;
}

export interface SchemaTable {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  /** Lower case. */
  readonly schema: string | undefined;
  readonly catalog: string | undefined;
  /** What must be written before its name, lower case, joined by dots. */
  readonly qualifier: string;
  readonly columns: Columns;
}

export interface SchemaColumn {
  readonly id: string;
  readonly name: string;
  readonly type: string | undefined;
  readonly table: SchemaTable;
}

/** What a name means. */
export type Reference =
  | ColumnReference
  | AliasReference
  | StarReference
  | RowReference
  | OpenReference
  | AmbiguousReference
  | UnknownReference
  | { readonly kind: 'hidden'; readonly source: Source; readonly lineage: Lineage }
  /** Double-quoted text that is no column. */
  | { readonly kind: 'text'; readonly lineage: Lineage }
  /** A unit of time or the like in a call: `DATEDIFF(day, a, b)`. */
  | { readonly kind: 'unit'; readonly lineage: Lineage }
  /** A parameter of a lambda. */
  | { readonly kind: 'parameter'; readonly lineage: Lineage };

export interface ColumnReference {
  readonly kind: 'column';
  /** Where the source stands; an outer one for a correlated name. */
  readonly scope: Scope;
  readonly source: Source;
  readonly output: Output;
  readonly lineage: Lineage;
  /** All sources of a merged column. */
  readonly merged: readonly Source[] | undefined;
  /** Names of fields below the column, for access into a structure. */
  readonly fields: readonly string[];
}

/** A name of the select list, used elsewhere in the query. */
export interface AliasReference {
  readonly kind: 'alias';
  readonly scope: Scope;
  readonly output: Output;
  readonly lineage: Lineage;
  readonly fields: readonly string[];
}

export interface StarReference {
  readonly kind: 'star';
  readonly sources: readonly Source[];
  /** The columns it stands for; none in COUNT(*). */
  readonly columns: Columns;
  readonly lineage: Lineage;
}

/** The name of a source used as the value of its whole row. */
export interface RowReference {
  readonly kind: 'row';
  readonly source: Source;
  readonly lineage: Lineage;
}

/** A column of a source whose columns nobody knows; without `source` it may be of any of the candidates. */
export interface OpenReference {
  readonly kind: 'open';
  readonly name: string;
  readonly source: Source | undefined;
  readonly candidates: readonly Source[];
  readonly lineage: Lineage;
}

export interface AmbiguousReference {
  readonly kind: 'ambiguous';
  /** As written, with its qualifier. */
  readonly name: string;
  readonly candidates: readonly Candidate[];
  /** That of all candidates. */
  readonly lineage: Lineage;
}

/** A column of a source. */
export interface Held {
  readonly source: Source;
  readonly output: Output;
}

/** An item of the select list that is no column has no source. */
export interface Candidate {
  readonly source: Source | undefined;
  readonly output: Output;
}

export interface UnknownReference {
  readonly kind: 'unknown';
  readonly missing: 'column' | 'source';
  /** As written, with its qualifier when it is the column that is missing. */
  readonly name: string;
  /** The Identifier that names nothing. */
  readonly node: SqlNode;
  /** The source that the qualifier named. */
  readonly source: Source | undefined;
  /** Names that do exist, nearest first; found when first asked for. */
  readonly nearest: readonly string[];
  readonly lineage: Lineage;
}
