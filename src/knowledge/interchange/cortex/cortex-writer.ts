/** What all parts of a written model share: names of tables, homes of metrics, ratios. */
import type { FileMetric, FileModel } from '../../semantic/semantic-file.ts';
import { datasetOf, ratioOf } from '../conversion/metric-home.ts';
import { foreignWords, writeName } from '../conversion/names.ts';
import { readBlock, withForeign, writtenFor } from '../conversion/vendor-block.ts';
import type { Loss } from '../foreign/conversion.ts';
import { standardSql, synonymsOf } from '../foreign/lean-model.ts';
import { CORTEX_VENDOR } from './import-cortex-table.ts';

/** What writing one model needs beside the model. */
export interface CortexWriter {
  readonly model: FileModel;
  readonly losses: Loss[];
  /** Names in the file, by our names of datasets. */
  readonly tables: ReadonlyMap<string, string>;
}

/** A ratio that an import found in a table goes back there. */
export function standsInTable(metric: FileMetric): string | undefined {
  const { table } = readBlock(metric.custom_extensions, CORTEX_VENDOR);
  return typeof table === 'string' ? table : undefined;
}

export function writeRatio(
  metric: FileMetric,
  { model, tables, losses }: CortexWriter,
): Record<string, unknown> | undefined {
  const ratio = ratioOf(metric);
  const [above, below] = [ratio?.numerator, ratio?.denominator].map((name) => {
    const part = model.metrics.find((item) => item.name === name);
    const owner = part && datasetOf(part, model);
    return part && owner ? `${tables.get(owner.name)}.${foreignNameOf(part)}` : undefined;
  });
  if (above === undefined || below === undefined) {
    losses.push({
      kind: 'dropped',
      place: metric.name,
      what: 'it divides metrics that the format cannot name',
    });
    return undefined;
  }
  const { table: _, ...block } = readBlock(metric.custom_extensions, CORTEX_VENDOR);
  const words = writeName(
    foreignWords({ name: metric.name, synonyms: synonymsOf(metric.ai_context) }, block),
  );
  const ours = standardSql(metric) ?? '';
  return withForeign(block, {
    name: words.name,
    synonyms: words.synonyms.length === 0 ? undefined : words.synonyms,
    description: metric.description,
    expr: writtenFor(ours, block) ?? ratioText(above, below),
  });
}

/** How a ratio of two metrics is written. */
export function ratioText(above: string, below: string): string {
  return `${above} / NULLIF(${below}, 0)`;
}

/** What a metric is called in its table. */
function foreignNameOf(metric: FileMetric): string {
  const words = { name: metric.name, synonyms: synonymsOf(metric.ai_context) };
  return writeName(foreignWords(words, readBlock(metric.custom_extensions, CORTEX_VENDOR))).name;
}
