import type { FileDataset, FileMetric } from '../../semantic/semantic-file.ts';
import { withForeign, writtenFor } from '../aside.ts';
import { isRecord, standardSql } from '../lean-model.ts';
import { conditionalLoss, datasetOf, ratioOf } from '../metric-owner.ts';
import { nameKeeper } from '../spoken-name.ts';
import { withFilters } from '../sql-expression.ts';
import { type BlockData, readBlock } from '../vendor-block.ts';
import { CUBE_VENDOR } from './cube-shape.ts';
import { cubeSql } from './cube-template.ts';
import type { CubeWriter } from './cube-writer.ts';
import { named } from './export-cube-members.ts';
import { joinSql } from './import-cube-joins.ts';
import { cubeRatio, measureShape } from './import-cube-measures.ts';

/** Metrics over the rows of a dataset as measures of its cube, and ratios whose numerator is one. */
export function exportMeasures(dataset: FileDataset, writer: CubeWriter): unknown[] {
  const { model, losses } = writer;
  const keep = nameKeeper();
  return [...dataset.metrics, ...model.metrics].flatMap((metric) => {
    const { title, meta, ...block } = readBlock(metric.custom_extensions, CUBE_VENDOR);
    const isRatio = ratioOf(metric) !== undefined;
    if (ownerOf(metric, writer) !== dataset) return [];
    losses.push(...conditionalLoss(metric));
    const shape = isRatio ? ratioShape(metric, writer, block) : shapeOf(metric, block);
    if (shape === undefined) {
      const what = 'its conditions cannot be written into its aggregate, so it is left out';
      losses.push({ kind: 'dropped', place: metric.name, what });
      return [];
    }
    const { cube: _, ...rest } = block;
    return [
      withForeign(rest, {
        ...named(metric, { title, meta, called: block.called }, keep),
        description: metric.description,
        ...shape,
      }),
    ];
  });
}

/** A ratio stands in the cube it came from, else with its numerator. */
function ownerOf(metric: FileMetric, { model, cubes }: CubeWriter): FileDataset | undefined {
  const ratio = ratioOf(metric);
  if (ratio === undefined) return datasetOf(metric, model);
  const { cube } = readBlock(metric.custom_extensions, CUBE_VENDOR);
  const named = model.datasets.find(({ name }) => cube !== undefined && cubes.get(name) === cube);
  const above = model.metrics.find(({ name }) => name === ratio.numerator);
  return named ?? (above && datasetOf(above, model));
}

function ratioShape(
  metric: FileMetric,
  { model, cubes }: CubeWriter,
  block: BlockData,
): BlockData | undefined {
  const ratio = ratioOf(metric);
  const [above, under] = [ratio?.numerator, ratio?.denominator].map((name) => {
    const part = model.metrics.find((item) => item.name === name);
    const owner = part && datasetOf(part, model);
    return part && owner ? `${cubes.get(owner.name)}.${foreignName(part)}` : undefined;
  });
  if (above === undefined || under === undefined) return undefined;
  const written = writtenFor(standardSql(metric) ?? '', block);
  return { type: 'number', sql: written ?? cubeRatio(above, under) };
}

/** The condition of the table is in the cube already; those of the metric are filters, where its type may have some. */
function shapeOf(metric: FileMetric, block: BlockData): BlockData | undefined {
  const sql = standardSql(metric) ?? '';
  const { filters } = readBlock(metric.custom_extensions, 'CANDOR');
  const conditions: string[] = Array.isArray(filters) ? filters.map(String) : [];
  const text = writtenFor(JSON.stringify([sql, ...conditions]), block);
  const written: unknown = text === undefined ? undefined : JSON.parse(text);
  if (isRecord(written)) return written;
  const shape = measureShape(sql);
  if (conditions.length === 0) return { ...shape };
  if (shape.type !== 'number')
    return { ...shape, filters: conditions.map((item) => ({ sql: cubeSql(item) })) };
  const filtered = withFilters(sql, conditions);
  return filtered === undefined ? undefined : { type: 'number', sql: cubeSql(filtered) };
}

/** Relationships that a dataset's cube states: those from it, and those that its file stated from the other side. */
export function exportJoins(dataset: FileDataset, { model, cubes, losses }: CubeWriter): unknown[] {
  const joined = new Set<string>();
  return model.relationships.flatMap((link) => {
    const {
      relationship = 'many_to_one',
      in: stated,
      ...block
    } = readBlock(link.custom_extensions, CUBE_VENDOR);
    const isTurned = stated !== undefined && stated === cubes.get(link.to) && stated !== cubes.get(link.from);
    if ((isTurned ? link.to : link.from) !== dataset.name) return [];
    const other = cubes.get(isTurned ? link.from : link.to) ?? '';
    if (joined.has(other) || other === cubes.get(dataset.name)) {
      const what = `${link.name} is left out: a cube joins another once, and never itself`;
      losses.push({ kind: 'dropped', place: link.name, what });
      return [];
    }
    joined.add(other);
    const [own, others] = isTurned
      ? [link.to_columns, link.from_columns]
      : [link.from_columns, link.to_columns];
    const sql = joinSql(own, other, others);
    return [withForeign(block, { name: other, relationship, sql: writtenFor(sql, block) ?? sql })];
  });
}

/** What a metric is called in its cube. */
function foreignName(metric: FileMetric): string {
  const { called } = readBlock(metric.custom_extensions, CUBE_VENDOR);
  return String(named(metric, { called }, (name) => name).name);
}
