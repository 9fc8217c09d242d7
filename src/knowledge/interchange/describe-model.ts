import { readOneColumn } from '../semantic/one-column.ts';
import {
  DATASET_EXTENSION,
  type FileDataset,
  type FileField,
  type FileModel,
  MODEL_EXTENSION,
} from '../semantic/semantic-file.ts';
import type { DescribedColumn, DescribedModel, DescribedValue } from './described-model.ts';
import { standardSql, synonymsOf } from './lean-model.ts';
import { readBlock } from './vendor-block.ts';

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
