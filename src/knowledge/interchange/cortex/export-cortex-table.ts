import type { FileDataset, FileField, FileMetric } from '../../semantic/semantic-file.ts';
import { putBack, withForeign, writtenFor } from '../aside.ts';
import { foreignWords } from '../distinct-words.ts';
import { isRecord, standardSql, synonymsOf } from '../lean-model.ts';
import { conditionalLoss, datasetOf, ratioOf } from '../metric-owner.ts';
import { nameKeeper, writeName } from '../spoken-name.ts';
import { localSql, withFilters } from '../sql-expression.ts';
import { type Mapping, mappingCondition } from '../value-mapping.ts';
import { type BlockData, readBlock, withoutUndefined } from '../vendor-block.ts';
import { COLUMN_LISTS, type ColumnList } from './cortex-shape.ts';
import { type CortexWriter, standsInTable, writeRatio } from './cortex-writer.ts';
import { CORTEX_VENDOR } from './import-cortex-table.ts';
import { writeSnowflakeType } from './snowflake-types.ts';

/** A dataset as a logical table, with the metrics and value mappings that belong to its rows. */
export function exportTable(dataset: FileDataset, writer: CortexWriter): Record<string, unknown> {
  const { filters_said, ...block } = readBlock(dataset.custom_extensions, CORTEX_VENDOR);
  const { primary_key, unique_keys, description } = dataset;
  const name = writer.tables.get(dataset.name) ?? dataset.name;
  const synonyms = synonymsOf(dataset.ai_context);
  const lists = exportColumns(dataset);
  return withForeign(block, {
    name,
    synonyms: filled(name === dataset.name ? synonyms : [dataset.name, ...synonyms]),
    description,
    base_table: baseTable(dataset, writer),
    primary_key: primary_key.length === 0 ? undefined : { columns: primary_key },
    unique_keys: filled(unique_keys.map((columns) => ({ columns }))),
    ...lists,
    metrics: filled(putBack(exportMetrics(dataset, writer), 'metrics', block)),
    filters: filled(putBack(exportFilters(dataset, writer, filters_said), 'filters', block)),
  });
}

function baseTable({ name, source }: FileDataset, { losses }: CortexWriter): Record<string, unknown> {
  const [table = source, schema, database, ...others] = source.split('.').reverse();
  if (database === undefined || others.length > 0) {
    const what = 'the format wants database, schema and table; write the missing ones into `base_table`';
    losses.push({ kind: 'approximated', place: name, what });
  }
  return withoutUndefined({ database, schema, table });
}

function exportColumns(dataset: FileDataset): Partial<Record<ColumnList, unknown[]>> {
  const keep = nameKeeper();
  const lists = new Map<ColumnList, unknown[]>();
  for (const field of dataset.fields) {
    const block = readBlock(field.custom_extensions, CORTEX_VENDOR);
    const list = listOf(field, block);
    lists.set(list, [...(lists.get(list) ?? []), writeColumn(field, block, keep)]);
  }
  return Object.fromEntries(
    COLUMN_LISTS.flatMap((list) => (lists.has(list) ? [[list, lists.get(list)]] : [])),
  );
}

function listOf({ dimension, datatype }: FileField, block: BlockData): ColumnList {
  const known = COLUMN_LISTS.find((list) => list === block.list);
  if (dimension === undefined) return known ?? 'facts';
  const isTime = dimension.is_time ?? ['Date', 'Time', 'DateTime', 'DateTimeTz'].includes(datatype ?? '');
  return isTime ? 'time_dimensions' : 'dimensions';
}

function writeColumn(
  field: FileField,
  block: BlockData,
  keep: (name: string) => string,
): Record<string, unknown> {
  const { list: _, bare, data_type, ...rest } = block;
  const words = writeName(foreignWords({ name: field.name, synonyms: synonymsOf(field.ai_context) }, block));
  const sql = standardSql(field) ?? '';
  return withForeign(rest, {
    name: keep(words.name),
    synonyms: filled(words.synonyms),
    description: field.description,
    expr: bare === true ? undefined : (writtenFor(sql, block) ?? localSql(sql)),
    data_type: data_type ?? writeSnowflakeType(field.datatype ?? ''),
  });
}

function exportMetrics(dataset: FileDataset, writer: CortexWriter): unknown[] {
  const { model, losses } = writer;
  const keep = nameKeeper();
  const own = [...dataset.metrics, ...model.metrics];
  return own.flatMap((metric) => {
    if (ratioOf(metric) !== undefined) {
      const here =
        standsInTable(metric) === writer.tables.get(dataset.name) && standsInTable(metric) !== undefined;
      const ratio = here ? writeRatio(metric, writer) : undefined;
      return ratio === undefined ? [] : [ratio];
    }
    if (datasetOf(metric, model) !== dataset) return [];
    const expr = metricSql(metric, dataset);
    losses.push(...conditionalLoss(metric));
    if (expr !== undefined) return [writeMetric(metric, expr, keep)];
    const what = 'its conditions cannot be written into its aggregate, so it is left out';
    losses.push({ kind: 'dropped', place: metric.name, what });
    return [];
  });
}

/** The aggregate with the conditions of the metric and of its table in it. */
function metricSql(metric: FileMetric, dataset: FileDataset): string | undefined {
  const ours = standardSql(metric) ?? '';
  const written = writtenFor(ours, readBlock(metric.custom_extensions, CORTEX_VENDOR));
  if (written !== undefined) return written;
  const { filters } = readBlock(metric.custom_extensions, 'CANDOR');
  const { default_filter } = readBlock(dataset.custom_extensions, 'CANDOR');
  const conditions = [
    ...(isRecord(default_filter) ? [String(default_filter.sql)] : []),
    ...(Array.isArray(filters) ? filters.map(String) : []),
  ];
  const filtered = withFilters(ours, conditions);
  return filtered === undefined ? undefined : localSql(filtered);
}

function writeMetric(
  metric: FileMetric,
  expr: string,
  keep: (name: string) => string,
): Record<string, unknown> {
  const block = readBlock(metric.custom_extensions, CORTEX_VENDOR);
  const words = writeName(
    foreignWords({ name: metric.name, synonyms: synonymsOf(metric.ai_context) }, block),
  );
  return withForeign(block, {
    name: keep(words.name),
    synonyms: filled(words.synonyms),
    description: metric.description,
    expr,
  });
}

/** Value mappings of the table's columns: what people call a stored value. */
function exportFilters(dataset: FileDataset, { model }: CortexWriter, said: unknown): unknown[] {
  const table = dataset.source.split('.').at(-1)?.toLowerCase() ?? '';
  const keep = nameKeeper();
  const { value_mappings } = readBlock(model.custom_extensions, 'CANDOR');
  const mappings = Array.isArray(value_mappings) ? value_mappings.filter(isMapping) : [];
  return mappings.flatMap((mapping) => {
    if (!mapping.column.toLowerCase().startsWith(`${table}.`)) return [];
    const [first = '', ...others] = mapping.surface;
    const words = writeName({ name: first, synonyms: others });
    const notes = isRecord(said) && isRecord(said[first]) ? said[first] : {};
    const expr = mappingCondition(mapping);
    return [
      withForeign(notes, {
        name: keep(words.name),
        synonyms: filled(words.synonyms),
        expr: writtenFor(expr, notes) ?? expr,
      }),
    ];
  });
}

function isMapping(value: unknown): value is Mapping {
  return (
    isRecord(value) &&
    typeof value.column === 'string' &&
    Array.isArray(value.surface) &&
    value.value !== undefined
  );
}

function filled<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
