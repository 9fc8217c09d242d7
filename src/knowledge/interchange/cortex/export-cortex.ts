import type { FileDataset, FileField, FileMetric, FileRelationship } from '../../semantic/semantic-file.ts';
import { conditionalLoss, datasetOf, ratioOf } from '../conversion/metric-home.ts';
import { foreignWords, nameKeeper, plainName, writeName } from '../conversion/names.ts';
import { type Mapping, mappingCondition } from '../conversion/value-mapping.ts';
import {
  type BlockData,
  putBack,
  readBlock,
  withForeign,
  withoutUndefined,
  writtenFor,
} from '../conversion/vendor-block.ts';
import type { Exported, ExportSource, Loss } from '../foreign/conversion.ts';
import { isRecord, standardSql, synonymsOf } from '../foreign/lean-model.ts';
import { localSql, withFilters } from '../foreign/sql-expression.ts';
import { writeYaml } from '../foreign/write-yaml.ts';
import { COLUMN_LISTS, type ColumnList } from './cortex-shape.ts';
import { type CortexWriter, standsInTable, writeRatio } from './cortex-writer.ts';
import { columnPairs } from './import-cortex.ts';
import { dayOf, queryName, secondsOf } from './import-cortex-queries.ts';
import { CORTEX_VENDOR } from './import-cortex-table.ts';
import { type TableNames, toLogicalSql } from './logical-sql.ts';
import { writeSnowflakeType } from './snowflake-types.ts';

/**
 * Writes one semantic model a file. Filters of metrics and of their table are written into the aggregates, since
 * metrics of the format have none; names become identifiers with the spoken name as first synonym.
 */
export function exportCortex({ models, examples }: ExportSource): Exported {
  const losses: Loss[] = [];
  const files = models.map((model, index) => {
    const keep = nameKeeper();
    const tables = new Map(model.datasets.map(({ name }) => [name, keep(plainName(name))]));
    const writer: CortexWriter = { model, losses, tables };
    // Verified pairs do not say which model they are of: they go with the first.
    const document = writeModel(writer, index === 0 ? examples : []);
    return {
      path: `${plainName(model.name)}.yaml`,
      text: writeYaml(document),
    };
  });
  return { files, losses };
}

function writeModel(writer: CortexWriter, examples: ExportSource['examples']): Record<string, unknown> {
  const { model } = writer;
  const { queries, ...block } = readBlock(model.custom_extensions, CORTEX_VENDOR);
  const { name, description, ai_context } = model;
  const instructions = isRecord(ai_context) ? ai_context.instructions : undefined;
  const keep = nameKeeper();
  return withForeign(block, {
    name,
    description,
    tables: putBack(
      model.datasets.map((dataset) => exportTable(dataset, writer)),
      'tables',
      block,
    ),
    relationships: filled(
      putBack(
        model.relationships.map((link) => writeRelationship(link, writer, keep)),
        'relationships',
        block,
      ),
    ),
    metrics: filled(putBack(modelMetrics(writer), 'metrics', block)),
    verified_queries: filled(putBack(exportQueries(examples, writer, queries), 'verified_queries', block)),
    custom_instructions: typeof instructions === 'string' ? instructions : undefined,
  });
}

function writeRelationship(
  link: FileRelationship,
  { tables }: CortexWriter,
  keep: (name: string) => string,
): Record<string, unknown> {
  const block = readBlock(link.custom_extensions, CORTEX_VENDOR);
  const { join_type = 'left_outer', relationship_type = 'many_to_one', ...rest } = block;
  const columns = columnPairs(link.from_columns, link.to_columns);
  const written = writtenFor(JSON.stringify(columns), block);
  return withForeign(rest, {
    name: keep(plainName(link.name)),
    left_table: tables.get(link.from) ?? link.from,
    right_table: tables.get(link.to) ?? link.to,
    relationship_columns: written === undefined ? columns : JSON.parse(written),
    join_type: join_type ?? undefined,
    relationship_type: relationship_type ?? undefined,
  });
}

/** Ratios stand at the model: their parts may be of different tables. */
function modelMetrics({ model, tables, losses }: CortexWriter): unknown[] {
  const ratios = model.metrics.filter((metric) => ratioOf(metric) !== undefined && !standsInTable(metric));
  return ratios.flatMap((metric) => {
    const written = writeRatio(metric, { model, tables, losses });
    return written === undefined ? [] : [written];
  });
}

/** A dataset as a logical table, with the metrics and value mappings that belong to its rows. */
function exportTable(dataset: FileDataset, writer: CortexWriter): Record<string, unknown> {
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

/** Verified pairs as verified queries over the logical tables; `said` is what an import noted of them, by question. */
function exportQueries(
  examples: ExportSource['examples'],
  { model, tables, losses }: CortexWriter,
  said: unknown,
): unknown[] {
  const names = model.datasets.map(
    (dataset): TableNames => ({
      logical: tables.get(dataset.name) ?? dataset.name,
      source: dataset.source,
      columns: new Map(dataset.fields.map((field) => [plainName(field.name), standardSql(field) ?? ''])),
    }),
  );
  const keep = nameKeeper();
  return examples.flatMap((example) => {
    const { question, sql, verifiedBy, verifiedAt } = example;
    const notes = isRecord(said) && isRecord(said[question]) ? said[question] : {};
    const { unnamed, name, question: asked, verified_at, verified_by, ...rest } = notes;
    const written = writtenFor(sql, notes);
    const logical = written === undefined ? toLogicalSql(sql, names) : { sql: written, missing: [] };
    if (logical === undefined) {
      losses.push({ kind: 'dropped', place: question, what: 'its SQL is not understood, so it is left out' });
      return [];
    }
    if (logical.missing.length > 0) {
      const what = `its SQL names ${logical.missing.join(', ')}, which no field of the model is`;
      losses.push({ kind: 'approximated', place: question, what });
    }
    return [
      withForeign(rest, {
        name: unnamed === true ? undefined : (name ?? keep(queryName(question))),
        question: asked ?? question,
        sql: logical.sql,
        verified_at: dayOf(Number(verified_at)) === verifiedAt ? verified_at : secondsOf(verifiedAt),
        verified_by: verifiedBy === undefined ? undefined : (verified_by ?? verifiedBy),
      }),
    ];
  });
}
