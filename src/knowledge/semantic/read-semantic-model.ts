import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { readTextFiles, type TextFile } from '../files/authored-files.ts';
import { KeptYaml, openYaml, type YamlPath, type YamlSource } from '../files/yaml-source.ts';
import {
  DATASET_EXTENSION,
  FIELD_EXTENSION,
  type FileContext,
  type FileDataset,
  type FileExtensions,
  type FileField,
  type FileMetric,
  type FileModel,
  type FileRelationship,
  METRIC_EXTENSION,
  MODEL_EXTENSION,
  type ModelExtension,
  RELATIONSHIP_EXTENSION,
  readOneColumn,
  SEMANTIC_FILE,
} from './semantic-file.ts';
import type {
  Dataset,
  DescribedField,
  Dimension,
  Metric,
  Relationship,
  SemanticModel,
} from './semantic-model.ts';

/** Of the files in `semantics/`. */
export const SEMANTIC_NAMES = /\.ya?ml$/;

/** A model without words: what holds for a database nobody has described yet. */
export const emptySemanticModel: SemanticModel = {
  name: 'none',
  datasets: [],
  relationships: [],
  metrics: [],
  dimensions: [],
  valueMappings: [],
  timeRules: { defaultWindow: 'all', excludesToday: false, fiscalYearStartMonth: 1, weekStart: 'monday' },
  jargon: [],
  answers: [],
  outOfScope: [],
  vagueTerms: [],
};

/**
 * Reads every `*.yml` and `*.yaml` of a folder into one model; a missing or empty folder gives the empty one.
 * A fault throws `semantics.invalid` with file, line and column. SQL fragments stay text: whoever uses them
 * parses them first. With the folder of what is derived, where there is one, what the texts say is kept in it for the next start.
 */
export async function readSemanticModel(
  directory: string,
  derivedDirectory?: string,
): Promise<SemanticModel> {
  const files = await readTextFiles(directory, SEMANTIC_NAMES, 'semantics.invalid');
  if (derivedDirectory === undefined || !existsSync(derivedDirectory)) return readSemanticTexts(files);
  const kept = await KeptYaml.open(join(derivedDirectory, KEPT_FILE));
  const model = readSemanticTexts(files, kept);
  await kept.save();
  return model;
}

/** In the folder of what is derived: what the semantic files say, as JSON. */
const KEPT_FILE = 'semantics.json';

/** The model that texts make together, in their order; `shown` is the name that faults have. Throws `semantics.invalid`. */
export function readSemanticTexts(
  files: readonly Pick<TextFile, 'text' | 'shown'>[],
  kept?: KeptYaml,
): SemanticModel {
  return mergeModels(files.flatMap(({ text, shown }) => readFileModels(text, shown, kept)));
}

function readFileModels(text: string, file: string, kept: KeptYaml | undefined): readonly ConvertedModel[] {
  const source = openYaml(text, file, { kept });
  // A file of comments only is a model still to be written.
  if (source.value === null || source.value === undefined) return [];
  const content = source.check(SEMANTIC_FILE, source.value, []);
  return content.semantic_model.map((model, index) => convertModel(model, source, ['semantic_model', index]));
}

function mergeModels(models: readonly ConvertedModel[]): SemanticModel {
  const first = models[0];
  if (first === undefined) return emptySemanticModel;
  const withRules = models.filter((model) => model.timeRules !== undefined);
  if (withRules.length > 1) {
    throw new CandorError(
      'semantics.invalid',
      `time_rules stand in ${withRules.length} models (${withRules.map((model) => model.name).join(', ')}); keep one.`,
    );
  }
  const instructions = models.flatMap((model) => model.instructions ?? []).join('\n');
  return {
    name: first.name,
    ...(first.description === undefined ? {} : { description: first.description }),
    ...(instructions === '' ? {} : { instructions }),
    datasets: models.flatMap((model) => model.datasets),
    relationships: models.flatMap((model) => model.relationships),
    metrics: models.flatMap((model) => model.metrics),
    dimensions: models.flatMap((model) => model.dimensions),
    fields: models.flatMap((model) => model.fields ?? []),
    valueMappings: models.flatMap((model) => model.valueMappings),
    timeRules: withRules[0]?.timeRules ?? emptySemanticModel.timeRules,
    jargon: models.flatMap((model) => model.jargon),
    answers: models.flatMap((model) => model.answers),
    outOfScope: models.flatMap((model) => model.outOfScope),
    vagueTerms: models.flatMap((model) => model.vagueTerms),
  };
}

// Turns a checked semantic file into our model.

const VENDOR = 'CANDOR';
/** Logical types that make a field a time dimension when it does not say itself. */
const TIME_TYPES = new Set(['Date', 'Time', 'DateTime', 'DateTimeTz']);

/** One model of a file; `timeRules` is absent when the file sets none. */
interface ConvertedModel extends Omit<SemanticModel, 'timeRules'> {
  readonly timeRules?: SemanticModel['timeRules'];
}

/** `path` is where the model stands in its file. */
function convertModel(model: FileModel, source: YamlSource, path: YamlPath): ConvertedModel {
  const tables = new Map(model.datasets.map((dataset) => [dataset.name, tableOf(dataset)]));
  const extension = readExtension(MODEL_EXTENSION, model.custom_extensions, source, path);
  const inDatasets = model.datasets.map((dataset, index) =>
    convertDataset(dataset, source, [...path, 'datasets', index]),
  );
  return {
    name: model.name,
    description: model.description,
    instructions: instructionsOf(model.ai_context),
    datasets: inDatasets.map(({ dataset }) => dataset),
    relationships: model.relationships.map((link, index) =>
      convertRelationship(link, tables, source, [...path, 'relationships', index]),
    ),
    metrics: [
      ...inDatasets.flatMap(({ metrics }) => metrics),
      ...model.metrics.map((metric, index) =>
        convertMetric(metric, undefined, source, [...path, 'metrics', index]),
      ),
    ],
    dimensions: inDatasets.flatMap(({ dimensions }) => dimensions),
    fields: inDatasets.flatMap(({ fields }) => fields),
    ...convertWords(extension),
  };
}

function convertWords(
  extension: ModelExtension,
): Pick<ConvertedModel, 'valueMappings' | 'timeRules' | 'jargon' | 'answers' | 'outOfScope' | 'vagueTerms'> {
  const rules = extension.time_rules;
  return {
    valueMappings: extension.value_mappings.map((mapping) => ({
      ...mapping,
      column: canonical(mapping.column),
    })),
    jargon: extension.jargon,
    answers: extension.answers,
    outOfScope: extension.out_of_scope,
    vagueTerms: extension.vague_terms,
    ...(rules === undefined
      ? {}
      : {
          timeRules: {
            defaultWindow: rules.default_window,
            excludesToday: rules.excludes_today,
            fiscalYearStartMonth: rules.fiscal_year_start_month,
            weekStart: rules.week_start,
            isWritten: true,
          },
        }),
  };
}

interface ConvertedDataset {
  readonly dataset: Dataset;
  readonly dimensions: readonly Dimension[];
  readonly fields: readonly DescribedField[];
  readonly metrics: readonly Metric[];
}

function convertDataset(file: FileDataset, source: YamlSource, path: YamlPath): ConvertedDataset {
  const table = tableOf(file);
  const extension = readExtension(DATASET_EXTENSION, file.custom_extensions, source, path);
  return {
    dataset: {
      name: file.name,
      table,
      ...(file.source.includes('.') ? { source: canonical(file.source) } : {}),
      synonyms: synonymsOf(file.ai_context),
      description: file.description,
      primaryKey: file.primary_key.map((column) => columnId(table, column)),
      defaultFilter: extension.default_filter,
      timeColumn: extension.time_column && canonical(extension.time_column),
      displayColumn: extension.display_column && canonical(extension.display_column),
      rowFilter: extension.row_filter,
      ...masksOf(file, table, source, path),
      ...(extension.trusted_view === true ? { isTrustedView: true } : {}),
    },
    // A field without `dimension` documents a column; only dimensions take part in questions.
    dimensions: file.fields.flatMap((field, index) =>
      field.dimension === undefined ? [] : [convertField(field, table, source, [...path, 'fields', index])],
    ),
    fields: file.fields.flatMap((field, index) =>
      field.dimension === undefined ? describedField(field, table, source, [...path, 'fields', index]) : [],
    ),
    metrics: file.metrics.map((metric, index) =>
      convertMetric(metric, table, source, [...path, 'metrics', index]),
    ),
  };
}

/** Masks stand on fields, also on those that only document a column. */
function masksOf(
  file: FileDataset,
  table: string,
  source: YamlSource,
  path: YamlPath,
): Pick<Dataset, 'columnMasks'> {
  const masks = file.fields.flatMap((field, index): [string, string][] => {
    const place = [...path, 'fields', index];
    const { mask } = readExtension(FIELD_EXTENSION, field.custom_extensions, source, place);
    return mask === undefined ? [] : [[oneColumn(field, table, source, place), mask]];
  });
  return masks.length === 0 ? {} : { columnMasks: Object.fromEntries(masks) };
}

function oneColumn(field: FileField, table: string, source: YamlSource, path: YamlPath): string {
  const expression = expressionOf(field, source, path);
  const column = readOneColumn(expression);
  if (column !== undefined) return `${table}.${canonical(column)}`;
  throw source.fault([...path, 'expression'], `expected one column of ${table}, not \`${expression}\``);
}

function convertField(field: FileField, table: string, source: YamlSource, path: YamlPath): Dimension {
  const column = oneColumn(field, table, source, path);
  const extension = readExtension(FIELD_EXTENSION, field.custom_extensions, source, path);
  return {
    name: field.name,
    synonyms: synonymsOf(field.ai_context),
    description: field.description,
    table,
    column,
    isTime: field.dimension?.is_time ?? TIME_TYPES.has(field.datatype ?? ''),
    parent: extension.parent,
    via: extension.via,
  };
}

/** A field over more than one column describes none. */
function describedField(
  field: FileField,
  table: string,
  source: YamlSource,
  path: YamlPath,
): readonly DescribedField[] {
  const column = readOneColumn(expressionOf(field, source, path));
  if (column === undefined) return [];
  const { name, description, ai_context } = field;
  return [
    {
      ...{ name, description, table },
      column: `${table}.${canonical(column)}`,
      synonyms: synonymsOf(ai_context),
    },
  ];
}

function convertRelationship(
  link: FileRelationship,
  tables: ReadonlyMap<string, string>,
  source: YamlSource,
  path: YamlPath,
): Relationship {
  const from = tables.get(link.from) ?? canonical(link.from);
  const to = tables.get(link.to) ?? canonical(link.to);
  return {
    name: link.name,
    from,
    to,
    fromColumns: link.from_columns.map((column) => columnId(from, column)),
    toColumns: link.to_columns.map((column) => columnId(to, column)),
    ...readExtension(RELATIONSHIP_EXTENSION, link.custom_extensions, source, path),
    synonyms: synonymsOf(link.ai_context),
  };
}

function convertMetric(
  metric: FileMetric,
  ownTable: string | undefined,
  source: YamlSource,
  path: YamlPath,
): Metric {
  const extension = readExtension(METRIC_EXTENSION, metric.custom_extensions, source, path);
  const table = extension.table === undefined ? ownTable : canonical(extension.table);
  if (table === undefined && extension.ratio === undefined) {
    throw source.fault(
      path,
      `metric \`${metric.name}\` needs \`table\` or \`ratio\` in its CANDOR extension`,
    );
  }
  return {
    name: metric.name,
    synonyms: synonymsOf(metric.ai_context),
    description: metric.description,
    ...(extension.ratio === undefined
      ? { table, expression: expressionOf(metric, source, path) }
      : { ratio: extension.ratio }),
    filters: extension.filters,
    mandatoryDimensions: extension.mandatory_dimensions,
    timeColumn: extension.time_column && canonical(extension.time_column),
    conditionalFilters: extension.conditional_filters.map(({ when_dimensions, then, otherwise }) => ({
      whenDimensions: when_dimensions,
      then,
      otherwise,
    })),
    unit: extension.unit,
  };
}

/** The data of our own extension, a mapping or its JSON text; other vendors' blocks are left alone. */
function readExtension<T>(
  schema: z.ZodType<T>,
  extensions: FileExtensions,
  source: YamlSource,
  path: YamlPath,
): T {
  const index = extensions.findIndex((extension) => extension.vendor_name.toUpperCase() === VENDOR);
  const place = [...path, 'custom_extensions', index, 'data'];
  if (index < 0) return source.check(schema, {}, path);
  const data = extensions[index]?.data;
  if (typeof data !== 'string') return source.check(schema, data, place);
  try {
    return source.check(schema, JSON.parse(data), place);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw source.fault(place, `data: expected a mapping or JSON text: ${error.message}`);
  }
}

/** The standard SQL of a field or metric: other dialects are for other tools. */
function expressionOf(item: FileField | FileMetric, source: YamlSource, path: YamlPath): string {
  const found = item.expression.dialects.find(({ dialect }) => dialect.toUpperCase() === 'ANSI_SQL');
  if (found !== undefined) return found.expression;
  throw source.fault([...path, 'expression'], `\`${item.name}\` needs an expression in dialect ANSI_SQL`);
}

function synonymsOf(context: FileContext): readonly string[] {
  return typeof context === 'object' ? context.synonyms : [];
}

function instructionsOf(context: FileContext): string | undefined {
  if (typeof context === 'string') return context;
  return typeof context?.instructions === 'string' ? context.instructions : undefined;
}

/** `warehouse.public.Orders` is the table `orders`. */
function tableOf(dataset: FileDataset): string {
  return canonical(dataset.source.split('.').at(-1) ?? dataset.source);
}

function columnId(table: string, column: string): string {
  return `${table}.${canonical(column.split('.').at(-1) ?? column)}`;
}

function canonical(name: string): string {
  return name.toLowerCase();
}
