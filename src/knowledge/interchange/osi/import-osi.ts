import { z } from 'zod';
import {
  DATASET_EXTENSION,
  FIELD_EXTENSION,
  METRIC_EXTENSION,
  MODEL_EXTENSION,
  RELATIONSHIP_EXTENSION,
  readOneColumn,
} from '../../semantic/semantic-file.ts';
import { joinImported } from '../conversion/import-context.ts';
import { findMetricHome, type KnownMetric } from '../conversion/metric-home.ts';
import { type CalledWords, distinctDimensions, distinctMetrics } from '../conversion/names.ts';
import {
  AsideBox,
  type BlockData,
  blocks,
  keepWritten,
  readBlock,
  withoutUndefined,
} from '../conversion/vendor-block.ts';
import type { ForeignFile, Imported } from '../foreign/conversion.ts';
import { type ForeignDocument, type ForeignPath, openForeign } from '../foreign/foreign-document.ts';
import {
  completeModel,
  expressionIn,
  type LeanDataset,
  type LeanField,
  type LeanMetric,
  type LeanModel,
  type LeanRelationship,
} from '../foreign/lean-model.ts';
import type { LogicalTable } from '../foreign/resolve-expression.ts';
import {
  called,
  extensionsOf,
  foreignSynonyms,
  type OsiContext,
  unknownKeys,
  withStandard,
} from './osi-elements.ts';
import {
  OSI_DATASET,
  OSI_FIELD,
  OSI_METRIC,
  OSI_MODEL,
  OSI_RELATIONSHIP,
  type OsiDataset,
  type OsiField,
  type OsiMetric,
  type OsiModel,
  type OsiRelationship,
  sqlOf,
} from './osi-shape.ts';

/** What `export` writes without being told otherwise. */
export const OSI_VERSION = '0.2.0';

const FILE = z.looseObject({
  version: z.union([z.string(), z.number()]).optional(),
  semantic_model: z.array(z.unknown()).min(1, 'expected at least one model'),
});

/** Reads Open Semantic Interchange files, both with a list of models and with one model at the top. */
export function importOsi(files: readonly ForeignFile[]): Imported {
  return joinImported(files.map(importFile));
}

function importFile(file: ForeignFile): Imported {
  const document = openForeign(file);
  const value = document.check(z.looseObject({}), document.value, []);
  if (!('semantic_model' in value)) {
    if (!('datasets' in value)) throw document.fault([], 'expected `semantic_model`, a list of models');
    const { version, ...model } = value;
    return importModel(model, [], document, { ...versionNote(version), single: true });
  }
  document.unknownKeys(value, Object.keys(FILE.shape), []);
  const { version, semantic_model } = document.check(FILE, value, []);
  return joinImported(
    semantic_model.map((model, index) =>
      importModel(model, ['semantic_model', index], document, versionNote(version)),
    ),
  );
}

function versionNote(version: unknown): BlockData {
  return version === undefined || version === OSI_VERSION ? {} : { version: String(version) };
}

function importModel(
  value: unknown,
  path: ForeignPath,
  document: ForeignDocument,
  file: BlockData,
): Imported {
  const model = document.check(OSI_MODEL, value, path);
  const context: OsiContext = {
    document,
    tables: model.datasets.map(logicalTable),
    losses: [],
    places: new Map(),
    aside: new AsideBox(),
    words: callMembers(model),
  };
  const datasets = model.datasets.flatMap((dataset, index) =>
    importDataset(dataset, [...path, 'datasets', index], context),
  );
  const relationships = (model.relationships ?? []).flatMap((link, index) =>
    importRelationship(link, [...path, 'relationships', index], { ...context, datasets }),
  );
  const metrics = importOsiMetrics(model, path, context);
  const { name, description, ai_context } = model;
  const keys = unknownKeys(model, Object.keys(OSI_MODEL.shape), path, context);
  const own: BlockData = { ...keys, ...file, ...context.aside.block() };
  const extensions = extensionsOf(model, own, path, { context, schema: MODEL_EXTENSION });
  const lean: LeanModel = withoutUndefined({
    name,
    description,
    ai_context,
    datasets,
    relationships,
    metrics,
    custom_extensions: extensions,
  });
  const { losses, places } = context;
  return {
    models: [completeModel(lean, document.place(path))],
    examples: [],
    notes: instructionsOf(model, path, document),
    losses,
    places,
  };
}

/** Fields are named within their dataset there, dimensions within the model here. */
function callMembers({ datasets, metrics = [] }: OsiModel): OsiContext['words'] {
  const wordsOf = ({ name, ai_context }: OsiField | OsiMetric) => ({
    name,
    synonyms: foreignSynonyms(ai_context),
  });
  const dimensions = datasets.flatMap(({ name: owner, fields = [] }) =>
    fields.flatMap((field) =>
      field.dimension === undefined ? [] : [{ element: field, owner, words: wordsOf(field) }],
    ),
  );
  const named = metrics.map((metric) => ({ element: metric, owner: '', words: wordsOf(metric) }));
  const given = [...distinctDimensions(dimensions), ...distinctMetrics(named)];
  return new Map(
    [...dimensions, ...named].map(({ element }, index): [unknown, CalledWords] => [element, given[index]!]),
  );
}

/** Instructions to a reader of words are notes to us; the model keeps them too, for other tools. */
function instructionsOf(model: OsiModel, path: ForeignPath, document: ForeignDocument): Imported['notes'] {
  const context = model.ai_context;
  const text = typeof context === 'string' ? context : context?.instructions;
  return typeof text === 'string' && text.trim() !== ''
    ? [{ text: text.trim(), topic: model.name, place: document.place([...path, 'ai_context']) }]
    : [];
}

function logicalTable({ name, source, fields = [] }: OsiDataset): LogicalTable {
  return {
    name,
    table: (source.split('.').at(-1) ?? source).toLowerCase(),
    members: new Map(
      fields.flatMap((field): [string, string][] => {
        const sql = sqlOf(field)?.expression;
        return sql === undefined ? [] : [[field.name.toLowerCase(), sql]];
      }),
    ),
  };
}

function importDataset(dataset: OsiDataset, path: ForeignPath, context: OsiContext): LeanDataset[] {
  const { document, losses, aside, places } = context;
  places.set(`dataset ${dataset.name}`, document.place(path));
  if (/\s/.test(dataset.source)) {
    aside.add('datasets', Number(path.at(-1)), dataset);
    const what = `dataset ${dataset.name} reads a query, not a table; make it a view to ask about it`;
    losses.push({ kind: 'kept', place: document.place([...path, 'source']), what });
    return [];
  }
  const { name, source, primary_key, unique_keys, description, ai_context, metrics } = dataset;
  const own = unknownKeys(dataset, Object.keys(OSI_DATASET.shape), path, context);
  const fields = (dataset.fields ?? []).map((field, index) =>
    importField(field, [...path, 'fields', index], context),
  );
  const custom_extensions = extensionsOf(dataset, own, path, { context, schema: DATASET_EXTENSION });
  return [
    withoutUndefined({
      name,
      source,
      primary_key,
      unique_keys,
      description,
      ai_context,
      fields,
      metrics: metrics?.map((metric) => withoutUndefined(metric)),
      custom_extensions,
    }),
  ];
}

/** A dimension of ours is one column; a computed one stays as documentation and keeps what it was. */
function importField(field: OsiField, path: ForeignPath, context: OsiContext): LeanField {
  const { document, losses, places } = context;
  const { expression, dimension, label, description, datatype } = field;
  const { name, ai_context, note } = called(field, path, context);
  const own = unknownKeys(field, Object.keys(OSI_FIELD.shape), path, context);
  const { sql, added } = withStandard(expression);
  const isColumn = sql !== undefined && readOneColumn(sql) !== undefined;
  if (dimension !== undefined) {
    places.set(`dimension ${name}`, document.place(path));
    const why = sql === undefined ? 'has no SQL' : `is computed (${sql})`;
    const what = `dimension ${name} ${why}; it documents a column and takes no part in questions`;
    if (!isColumn) losses.push({ kind: 'kept', place: document.place([...path, 'expression']), what });
  }
  const keptDimension: BlockData = dimension !== undefined && !isColumn ? { dimension } : {};
  return withoutUndefined({
    name,
    expression: added.expression,
    ...(isColumn ? { dimension } : {}),
    label,
    description,
    datatype,
    ai_context,
    custom_extensions: extensionsOf(field, { ...own, ...keptDimension, ...added.note, ...note }, path, {
      context,
      schema: FIELD_EXTENSION,
    }),
  });
}

function importRelationship(
  link: OsiRelationship,
  path: ForeignPath,
  context: OsiContext & { readonly datasets: readonly LeanDataset[] },
): LeanRelationship[] {
  const { document, losses, aside, places, datasets } = context;
  const { name, from, to, from_columns, to_columns, ai_context } = link;
  places.set(`relationship ${name}`, document.place(path));
  if (from_columns.length !== to_columns.length)
    throw document.fault(
      [...path, 'to_columns'],
      `expected ${from_columns.length} columns, as in \`from_columns\``,
    );
  const missing = [from, to].find((end) => !datasets.some((dataset) => dataset.name === end));
  if (missing !== undefined) {
    aside.add('relationships', Number(path.at(-1)), link);
    const what = `relationship ${name} names ${missing}, which is no dataset of a table here`;
    losses.push({ kind: 'kept', place: document.place(path), what });
    return [];
  }
  const own = unknownKeys(link, Object.keys(OSI_RELATIONSHIP.shape), path, context);
  const custom_extensions = extensionsOf(link, own, path, { context, schema: RELATIONSHIP_EXTENSION });
  return [withoutUndefined({ name, from, to, from_columns, to_columns, ai_context, custom_extensions })];
}

/**
 * The metrics of a model. One that says its table in our extension is taken as it is; else its table is what its
 * expression names, and one over several tables is a ratio of others or set aside.
 */
function importOsiMetrics(model: OsiModel, path: ForeignPath, context: OsiContext): LeanMetric[] {
  const metrics = (model.metrics ?? []).map((metric, index) => ({ metric, at: [...path, 'metrics', index] }));
  const known: KnownMetric[] = [];
  const read = new Map<OsiMetric, LeanMetric>();
  // Twice: a ratio may stand before the metrics that it divides.
  for (const isLast of [false, true])
    for (const { metric, at } of metrics) {
      if (read.has(metric)) continue;
      const result = importMetric(metric, at, { ...context, known, isLast });
      if (result !== undefined) read.set(metric, result);
    }
  return metrics.flatMap(({ metric }) => read.get(metric) ?? []);
}

interface MetricContext extends OsiContext {
  readonly known: KnownMetric[];
  readonly isLast: boolean;
}

/** `undefined` when it has no home (yet). */
function importMetric(metric: OsiMetric, path: ForeignPath, context: MetricContext): LeanMetric | undefined {
  const { document, losses, places, aside, known, isLast } = context;
  const ours = readBlock(metric.custom_extensions, 'CANDOR');
  const { sql, added } = withStandard(metric.expression);
  if (ours.table !== undefined || ours.ratio !== undefined) {
    places.set(`metric ${nameIn(metric, context)}`, document.place(path));
    if (sql !== undefined) known.push({ name: nameIn(metric, context), sql });
    return finish(metric, path, { context, expression: added.expression, note: added.note, home: {} });
  }
  const found =
    sql === undefined
      ? { kind: 'none' as const, why: 'it has no expression in SQL' }
      : findMetricHome(sql, context.tables, { known });
  if (found.kind === 'none' || sql === undefined) {
    if (!isLast) return undefined;
    aside.add('metrics', Number(path.at(-1)), metric);
    const why = found.kind === 'none' ? found.why : '';
    losses.push({ kind: 'kept', place: document.place(path), what: `metric ${metric.name}: ${why}` });
    return undefined;
  }
  places.set(`metric ${nameIn(metric, context)}`, document.place(path));
  if (found.kind === 'ratio') {
    const { numerator, denominator } = found;
    const home = { ratio: { numerator, denominator } };
    return finish(metric, path, { context, expression: added.expression, note: added.note, home });
  }
  known.push({ name: nameIn(metric, context), sql: found.sql });
  const others = added.expression.dialects.filter(({ dialect }) => dialect.toUpperCase() !== 'ANSI_SQL');
  const index = added.expression.dialects.findIndex(({ dialect }) => dialect.toUpperCase() === 'ANSI_SQL');
  const standard = expressionIn(found.sql).dialects;
  const dialects = [...others.slice(0, index), ...standard, ...others.slice(index)];
  const note = { ...added.note, ...keepWritten(sql, found.sql) };
  return finish(metric, path, { context, expression: { dialects }, note, home: { table: found.table } });
}

function nameIn(metric: OsiMetric, { words }: OsiContext): string {
  return words.get(metric)?.name ?? metric.name;
}

interface Findings {
  readonly context: MetricContext;
  readonly expression: LeanMetric['expression'];
  readonly note: BlockData;
  /** `table` or `ratio`, where our extension did not say it; marked as found by us, to be left out again. */
  readonly home: BlockData;
}

function finish(
  metric: OsiMetric,
  path: ForeignPath,
  { context, expression, note, home }: Findings,
): LeanMetric {
  const { description, datatype } = metric;
  const { name, ai_context, note: words } = called(metric, path, context);
  const keys = unknownKeys(metric, Object.keys(OSI_METRIC.shape), path, context);
  const isFound = Object.keys(home).length > 0;
  const given = metric.custom_extensions ?? [];
  const ours = { ...readBlock(given, 'CANDOR'), ...home };
  const others = given.filter(({ vendor_name }) => vendor_name.toUpperCase() !== 'CANDOR');
  const withHome = isFound ? [...(blocks({ CANDOR: ours }) ?? []), ...others] : given;
  const found: BlockData = isFound ? { found: home } : {};
  const custom_extensions = extensionsOf(
    { custom_extensions: withHome },
    { ...keys, ...note, ...words, ...found },
    path,
    {
      context,
      schema: METRIC_EXTENSION,
    },
  );
  return withoutUndefined({ name, expression, description, datatype, ai_context, custom_extensions });
}
