/** Where a metric of ours belongs. */
import type { FileDataset, FileMetric, FileModel } from '../semantic/semantic-file.ts';
import type { Loss } from './conversion.ts';
import { isRecord } from './lean-model.ts';
import { readBlock } from './vendor-block.ts';

/** The two metrics that a ratio divides. */
export function ratioOf(
  metric: FileMetric,
): { readonly numerator: string; readonly denominator: string } | undefined {
  const { ratio } = readBlock(metric.custom_extensions, 'CANDOR');
  if (!isRecord(ratio)) return undefined;
  return { numerator: String(ratio.numerator), denominator: String(ratio.denominator) };
}

/** The dataset whose rows a metric aggregates. */
export function datasetOf(metric: FileMetric, model: FileModel): FileDataset | undefined {
  const { table } = readBlock(metric.custom_extensions, 'CANDOR');
  const wanted = String(table ?? '').toLowerCase();
  return model.datasets.find(
    ({ source, metrics }) =>
      (table !== undefined && source.split('.').at(-1)?.toLowerCase() === wanted) ||
      (table === undefined && metrics.includes(metric)),
  );
}

/** Conditions that depend on the dimensions of a question have no place in other formats, and change the figure. */
export function conditionalLoss(metric: FileMetric): Loss[] {
  const { conditional_filters } = readBlock(metric.custom_extensions, 'CANDOR');
  if (!Array.isArray(conditional_filters) || conditional_filters.length === 0) return [];
  const what = 'its `conditional_filters` are left out, so that it adds up other rows there';
  return [{ kind: 'approximated', place: metric.name, what }];
}
