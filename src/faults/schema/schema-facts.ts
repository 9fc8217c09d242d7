/** A catalog made ready for the features of nodes. */
import type { Catalog, Column, Table } from '../../catalog/index.ts';

export interface SchemaFacts {
  readonly catalog: Catalog;
  /** By canonical id. */
  readonly tables: ReadonlyMap<string, Table>;
  readonly columns: ReadonlyMap<string, Column>;
  /** By lower-case name. */
  readonly tablesNamed: ReadonlyMap<string, readonly Table[]>;
  readonly columnsNamed: ReadonlyMap<string, readonly Column[]>;
  readonly primaryKeys: ReadonlySet<string>;
  /** Columns at either end of a foreign key are in one set each: those that refer, those that are referred to. */
  readonly referring: ReadonlySet<string>;
  readonly referred: ReadonlySet<string>;
  /** Whether a declared, stated or inferred key joins the two columns (ids, either way round). */
  readonly isKeyPair: (one: string, other: string) => boolean;
  /** The name of a table or column nearest to this one by edit distance, any case; undefined in an empty schema. */
  readonly nearest: (name: string) => NearestName | undefined;
  /** Values seen in a column, lower case and trimmed to their spelling; undefined where none were sampled. */
  readonly valuesOf: (columnId: string) => SampledValues | undefined;
}

export interface NearestName {
  readonly name: string;
  /** Levenshtein, lower case. */
  readonly distance: number;
  /** Names within a distance of 2. */
  readonly within2: number;
}

export interface SampledValues {
  readonly exact: ReadonlySet<string>;
  /** Lower case, trimmed. */
  readonly folded: ReadonlySet<string>;
  /** Whether these are all values the column has. */
  readonly isComplete: boolean;
}
