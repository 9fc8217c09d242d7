/**
 * What catalogues of tables know, whatever their format: tables, columns with words and codes, keys, links. Formats
 * that describe databases (BIRD, DataHub, OpenMetadata, dbt) read into this and are written from it.
 */
import {
  DATASET_EXTENSION,
  type FileDataset,
  type FileField,
  type FileModel,
  MODEL_EXTENSION,
  readOneColumn,
} from '../../semantic/semantic-file.ts';
import type { ForeignRecord } from '../foreign/foreign-record.ts';
import { type LeanMetric, standardSql, synonymsOf } from '../foreign/lean-model.ts';
import { readBlock } from './vendor-block.ts';

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

/** Our own block of `custom_extensions`. */
export const CANDOR = 'CANDOR';

/**
 * What a format that describes tables can say of a model. `vendor` is the format's own block of `custom_extensions`;
 * all else there, and rules and words that belong to no column, is not part of it.
 */
export function describeModel(model: FileModel, vendor: string): DescribedModel {
  const values = valuesByColumn(model);
  return {
    name: model.name,
    description: model.description,
    tables: model.datasets.map((dataset) => ({
      name: dataset.name,
      source: dataset.source,
      description: dataset.description,
      synonyms: synonymsOf(dataset.ai_context),
      columns: dataset.fields.flatMap((field) => describeField(field, dataset, { vendor, values })),
      primaryKey: dataset.primary_key,
      uniqueKeys: dataset.unique_keys,
      metrics: dataset.metrics,
      timeColumn: timeColumnOf(dataset),
      extension: readBlock(dataset.custom_extensions, vendor),
    })),
    links: model.relationships.map((link) => ({
      name: link.name,
      from: link.from,
      to: link.to,
      fromColumns: link.from_columns,
      toColumns: link.to_columns,
      synonyms: synonymsOf(link.ai_context),
      extension: readBlock(link.custom_extensions, vendor),
    })),
    metrics: model.metrics,
    extension: readBlock(model.custom_extensions, vendor),
  };
}

function timeColumnOf({ custom_extensions }: FileDataset): string | undefined {
  const own = DATASET_EXTENSION.safeParse(readBlock(custom_extensions, CANDOR));
  return own.data?.time_column?.split('.').at(-1);
}

interface FieldPlace {
  readonly vendor: string;
  readonly values: ReadonlyMap<string, readonly DescribedValue[]>;
}

/** None for a field without standard SQL: it is no column that a catalogue could name. */
function describeField(
  field: FileField,
  dataset: FileDataset,
  { vendor, values }: FieldPlace,
): DescribedColumn[] {
  const expression = standardSql(field);
  if (expression === undefined) return [];
  const column = readOneColumn(expression);
  return [
    {
      name: column ?? field.name,
      ...(field.name === column ? {} : { fieldName: field.name }),
      ...(column === undefined ? { expression } : {}),
      description: field.description,
      label: field.label,
      synonyms: synonymsOf(field.ai_context),
      datatype: field.datatype,
      isTime: field.dimension?.is_time,
      isDimension: field.dimension !== undefined,
      values: column === undefined ? [] : (values.get(columnKey(tableOf(dataset.source), column)) ?? []),
      extension: readBlock(field.custom_extensions, vendor),
    },
  ];
}

/** The table of a source: of `warehouse.sales.orders` it is `orders`. */
export function tableOf(source: string): string {
  return source.split('.').at(-1) ?? source;
}

function valuesByColumn(model: FileModel): ReadonlyMap<string, readonly DescribedValue[]> {
  const own = MODEL_EXTENSION.safeParse(readBlock(model.custom_extensions, CANDOR));
  const values = new Map<string, DescribedValue[]>();
  for (const { column, value, surface } of own.data?.value_mappings ?? []) {
    const key = column.toLowerCase();
    values.set(key, [...(values.get(key) ?? []), { value, surface }]);
  }
  return values;
}

export function columnKey(table: string, column: string): string {
  return `${table}.${column}`.toLowerCase();
}
