/**
 * What catalogues of tables know, whatever their format: tables, columns with words and codes, keys, links. Formats
 * that describe databases (BIRD, DataHub, OpenMetadata, dbt) read into this and are written from it.
 */
import type { ForeignRecord } from './foreign-record.ts';
import type { LeanMetric } from './lean-model.ts';

/** A stored value and what people call it. */
export interface DescribedValue {
  readonly value: string | number;
  readonly surface: readonly string[];
}

export interface DescribedColumn {
  /** As the database spells it. */
  readonly name: string;
  /** What the field is called where that is not the column's name. */
  readonly fieldName?: string;
  /** SQL of a field that is computed; it is carried without effect, since a dimension is one column. */
  readonly expression?: string;
  readonly description?: string;
  readonly label?: string;
  readonly synonyms: readonly string[];
  /** The type as the source writes it. */
  readonly datatype?: string;
  readonly isTime?: boolean;
  /** Whether questions may filter and group by it; absent: when anybody has said something about it. */
  readonly isDimension?: boolean;
  readonly values: readonly DescribedValue[];
  /** What only the format knows, for `custom_extensions`. */
  readonly extension?: ForeignRecord;
}

export interface DescribedTable {
  readonly name: string;
  /** The table with schema and database before it, as far as known. */
  readonly source: string;
  readonly description?: string;
  readonly synonyms: readonly string[];
  readonly columns: readonly DescribedColumn[];
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly metrics: readonly LeanMetric[];
  /** The column that answers "when" for a row. */
  readonly timeColumn?: string;
  readonly extension?: ForeignRecord;
}

/** Many rows of `from` belong to one of `to`; names of described tables. */
export interface DescribedLink {
  readonly name?: string;
  readonly from: string;
  readonly to: string;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
  readonly synonyms: readonly string[];
  readonly extension?: ForeignRecord;
}

export interface DescribedModel {
  readonly name: string;
  readonly description?: string;
  readonly tables: readonly DescribedTable[];
  readonly links: readonly DescribedLink[];
  readonly metrics: readonly LeanMetric[];
  readonly extension?: ForeignRecord;
}
