import type { FileModel } from '../../semantic/semantic-file.ts';
import { foreignWords, plainName } from '../conversion/names.ts';
import {
  type BlockData,
  putBack,
  readBlock,
  withForeign,
  withoutUndefined,
  writtenFor,
} from '../conversion/vendor-block.ts';
import type { Exported, ExportSource } from '../foreign/conversion.ts';
import {
  isRecord,
  type LeanDataset,
  type LeanExtensions,
  type LeanField,
  type LeanMetric,
  leanModel,
} from '../foreign/lean-model.ts';
import { isSame } from '../foreign/tree-changes.ts';
import { writeYaml } from '../foreign/write-yaml.ts';
import { OSI_VERSION } from './import-osi.ts';
import { foreignSynonyms, OSI_VENDOR } from './osi-elements.ts';

/**
 * Writes strict Open Semantic Interchange files: data of extensions as JSON text, metrics at the model. Models that came
 * with another version or as a single document go back as they came, each in a file of its own.
 */
export function exportOsi({ models }: ExportSource): Exported {
  const files = models.map((model) => {
    const { version = OSI_VERSION, single, ...block } = readBlock(model.custom_extensions, OSI_VENDOR);
    const content = writeModel(model, block);
    const document = single === true ? { version, ...content } : { version, semantic_model: [content] };
    return {
      path: `${plainName(model.name)}.yml`,
      text: writeYaml(document),
    };
  });
  return { files, losses: [] };
}

function writeModel(model: FileModel, block: BlockData): Record<string, unknown> {
  const { datasets, relationships = [], metrics = [], custom_extensions, ...rest } = leanModel(model);
  const own = datasets.flatMap((dataset) =>
    (dataset.metrics ?? []).map((metric) => atModel(metric, dataset)),
  );
  return withForeign(block, {
    ...rest,
    datasets: putBack(datasets.map(writeDataset), 'datasets', block),
    relationships: filled(
      putBack(
        relationships.map((link) => writeItem(link)),
        'relationships',
        block,
      ),
    ),
    metrics: filled(putBack([...own, ...metrics].map(writeMetric), 'metrics', block)),
    custom_extensions: writeExtensions(custom_extensions),
  });
}

/** The specification has metrics at the model only; ours at a dataset belong to its table. */
function atModel(metric: LeanMetric, dataset: LeanDataset): LeanMetric {
  const ours = readBlock(metric.custom_extensions, 'CANDOR');
  if (ours.table !== undefined || ours.ratio !== undefined) return metric;
  const table = dataset.source.split('.').at(-1);
  const others = (metric.custom_extensions ?? []).filter(
    ({ vendor_name }) => vendor_name.toUpperCase() !== 'CANDOR',
  );
  return { ...metric, custom_extensions: [{ vendor_name: 'CANDOR', data: { ...ours, table } }, ...others] };
}

function writeDataset({ fields, metrics: _, ...dataset }: LeanDataset): Record<string, unknown> {
  return { ...writeItem(dataset), ...(fields === undefined ? {} : { fields: fields.map(writeField) }) };
}

function writeField(field: LeanField): Record<string, unknown> {
  const { assumed_dialect, context, ...block } = readBlock(field.custom_extensions, OSI_VENDOR);
  return {
    ...writeItem(field, block),
    ...writeCalled(field, block, context),
    expression: withoutAssumed(field.expression, assumed_dialect),
  };
}

/** What an import found out of itself is left out again while it still holds. */
function writeMetric(metric: LeanMetric): Record<string, unknown> {
  const { assumed_dialect, found, context, ...block } = readBlock(metric.custom_extensions, OSI_VENDOR);
  const ours = readBlock(metric.custom_extensions, 'CANDOR');
  const kept = isRecord(found)
    ? Object.fromEntries(Object.entries(ours).filter(([key, value]) => !isSame(found[key], value)))
    : ours;
  const extensions = (metric.custom_extensions ?? []).flatMap((extension) => {
    if (extension.vendor_name.toUpperCase() !== 'CANDOR' || kept === ours) return [extension];
    return Object.keys(kept).length === 0 ? [] : [{ ...extension, data: kept }];
  });
  const dialects = metric.expression.dialects.map(({ dialect, expression }) => {
    const isStandard = dialect.toUpperCase() === 'ANSI_SQL';
    return { dialect, expression: (isStandard ? writtenFor(expression, block) : undefined) ?? expression };
  });
  const item = withoutUndefined({
    ...metric,
    custom_extensions: extensions.length === 0 ? undefined : extensions,
  });
  const words = writeCalled(metric, block, context);
  return { ...writeItem(item, block), ...words, expression: withoutAssumed({ dialects }, assumed_dialect) };
}

/** What a field or metric was called in the file it came from, while its words are still those it was given. */
function writeCalled(
  item: LeanField | LeanMetric,
  block: BlockData,
  context: unknown,
): Record<string, unknown> {
  const words = { name: item.name, synonyms: foreignSynonyms(item.ai_context) };
  const were = foreignWords(words, block);
  return were === words ? {} : { name: were.name, ai_context: context ?? undefined };
}

function withoutAssumed({ dialects }: LeanField['expression'], assumed: unknown): LeanField['expression'] {
  const source = dialects.find(({ dialect }) => dialect === assumed);
  if (source === undefined) return { dialects };
  return {
    dialects: dialects.filter(
      ({ dialect, expression }) => dialect.toUpperCase() !== 'ANSI_SQL' || expression !== source.expression,
    ),
  };
}

/** An element with its foreign keys put back and its extensions as the specification writes them. */
function writeItem(
  item: { readonly custom_extensions?: LeanExtensions | undefined },
  block: BlockData = readBlock(item.custom_extensions, OSI_VENDOR),
): Record<string, unknown> {
  const custom_extensions = writeExtensions(item.custom_extensions);
  const { custom_extensions: _, ...rest } = item;
  return withForeign(block, { ...rest, custom_extensions });
}

function writeExtensions(extensions: LeanExtensions = []): unknown[] | undefined {
  return filled(
    extensions
      .filter(({ vendor_name }) => vendor_name !== OSI_VENDOR)
      .map((block) => ({
        ...block,
        data: typeof block.data === 'string' ? block.data : JSON.stringify(block.data),
      })),
  );
}

function filled(list: unknown[]): unknown[] | undefined {
  return list.length === 0 ? undefined : list;
}
