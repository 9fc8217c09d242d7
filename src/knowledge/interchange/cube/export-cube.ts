import type { FileDataset, FileMetric } from '../../semantic/semantic-file.ts';
import { conditionalLoss, datasetOf, ratioOf } from '../conversion/metric-home.ts';
import { nameKeeper, plainName } from '../conversion/names.ts';
import {
  type BlockData,
  putBack,
  readBlock,
  withForeign,
  withoutUndefined,
  writtenFor,
} from '../conversion/vendor-block.ts';
import type { Exported, ExportSource, Loss } from '../foreign/conversion.ts';
import { isRecord, standardSql } from '../foreign/lean-model.ts';
import { localSql, withFilters } from '../foreign/sql-expression.ts';
import { writeYaml } from '../foreign/write-yaml.ts';
import { writePolicy } from './cube-policy.ts';
import { CUBE_VENDOR } from './cube-shape.ts';
import { writeCubeSource } from './cube-source.ts';
import { cubeSql } from './cube-template.ts';
import {
  type CubeWriter,
  exportDimensions,
  exportSegments,
  named,
  writeWords,
} from './export-cube-members.ts';
import { defaultFile } from './import-cube.ts';
import { joinSql } from './import-cube-joins.ts';
import { cubeRatio, measureShape } from './import-cube-measures.ts';

/** Writes one cube a file, or into the files that cubes and views came from. */
export function exportCube({ models }: ExportSource): Exported {
  const losses: Loss[] = [];
  const files = new Map<string, { cubes: unknown[]; views: unknown[] }>();
  const fileOf = (path: string) => {
    const file = files.get(path) ?? { cubes: [], views: [] };
    files.set(path, file);
    return file;
  };
  const keep = nameKeeper();
  for (const model of models) {
    const block = readBlock(model.custom_extensions, CUBE_VENDOR);
    const cubes = new Map(model.datasets.map(({ name }) => [name, keep(plainName(name))]));
    const written = model.datasets.map((dataset) => {
      const { file } = readBlock(dataset.custom_extensions, CUBE_VENDOR);
      const name = cubes.get(dataset.name) ?? dataset.name;
      return { file: pathOf(file) ?? defaultFile(name), cube: writeCube(dataset, { model, losses, cubes }) };
    });
    for (const item of putBack(written, 'cubes', block))
      if (isRecord(item)) fileOf(pathOf(item.file) ?? 'cubes/others.yml').cubes.push(item.cube);
    for (const item of Array.isArray(block.views) ? block.views : [])
      if (isRecord(item)) fileOf(pathOf(item.file) ?? 'views/others.yml').views.push(item.view);
  }
  return {
    files: [...files].map(([path, { cubes, views }]) => ({ path, text: textOf(cubes, views) })),
    losses,
  };
}

/** A path that stays inside the folder it is written to. */
function pathOf(path: unknown): string | undefined {
  const isSafe = typeof path === 'string' && /^(?!.*(?:^|\/)\.\.?(?:\/|$))[^/\\:][^\\:]*\.ya?ml$/i.test(path);
  return isSafe ? path : undefined;
}

function textOf(cubes: readonly unknown[], views: readonly unknown[]): string {
  const content = withoutUndefined({
    cubes: cubes.length === 0 ? undefined : cubes,
    views: views.length === 0 ? undefined : views,
  });
  return writeYaml(content);
}

function writeCube(dataset: FileDataset, writer: CubeWriter): Record<string, unknown> {
  const { file: _, title, meta, ...block } = readBlock(dataset.custom_extensions, CUBE_VENDOR);
  const { key_types, segments_said, access_policy, source_written, ...rest } = block;
  const name = writer.cubes.get(dataset.name) ?? dataset.name;
  return withForeign(rest, {
    name,
    ...sourceOf(dataset, source_written),
    ...writeWords({ name, spoken: dataset.name, context: dataset.ai_context, block: { title, meta } }),
    description: dataset.description,
    access_policy: access_policy ?? policyOf(dataset, block, writer),
    joins: filled(putBack(exportJoins(dataset, writer), 'joins', block)),
    dimensions: filled(exportDimensions(dataset, key_types)),
    measures: filled(putBack(exportMeasures(dataset, writer), 'measures', block)),
    segments: filled(putBack(exportSegments(dataset, writer, segments_said), 'segments', block)),
  });
}

function sourceOf(dataset: FileDataset, written: unknown): Record<string, unknown> {
  const { default_filter } = readBlock(dataset.custom_extensions, 'CANDOR');
  const filter = isRecord(default_filter) ? String(default_filter.sql) : undefined;
  const text = writtenFor(JSON.stringify([dataset.source, filter ?? null]), { written });
  return text === undefined
    ? { ...writeCubeSource(dataset.source, filter && localSql(filter)) }
    : JSON.parse(text);
}

/** The row filter as a policy; one that cannot be written is said loudly: nobody is kept from any row there. */
function policyOf(dataset: FileDataset, block: BlockData, { losses }: CubeWriter): unknown {
  const { row_filter } = readBlock(dataset.custom_extensions, 'CANDOR');
  if (typeof row_filter !== 'string') return undefined;
  const text = writtenFor(row_filter, block);
  if (text !== undefined) return JSON.parse(text);
  const policy = writePolicy(row_filter, memberNames(dataset));
  if (policy === undefined) {
    const what = 'its row filter cannot be written as an access policy: there everybody sees all rows';
    losses.push({ kind: 'dropped', place: dataset.name, what });
  }
  return policy;
}

/** Names of dimensions by their column in lower case. */
function memberNames({ fields }: FileDataset): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap((field): [string, string][] => {
      const sql = field.expression.dialects[0]?.expression ?? '';
      const { called } = readBlock(field.custom_extensions, CUBE_VENDOR);
      return [[localSql(sql).toLowerCase(), String(named(field, { called }, (name) => name).name)]];
    }),
  );
}

function filled(list: readonly unknown[]): readonly unknown[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Metrics over the rows of a dataset as measures of its cube, and ratios whose numerator is one. */
function exportMeasures(dataset: FileDataset, writer: CubeWriter): unknown[] {
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
function exportJoins(dataset: FileDataset, { model, cubes, losses }: CubeWriter): unknown[] {
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
