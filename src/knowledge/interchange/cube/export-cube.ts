import type { FileDataset } from '../../semantic/semantic-file.ts';
import { putBack, withForeign, writtenFor } from '../aside.ts';
import type { Exported, ExportSource, Loss } from '../conversion.ts';
import { isRecord } from '../lean-model.ts';
import { nameKeeper, plainName } from '../spoken-name.ts';
import { localSql } from '../sql-expression.ts';
import { type BlockData, readBlock, withoutUndefined } from '../vendor-block.ts';
import { writeYaml } from '../write-yaml.ts';
import { writePolicy } from './cube-policy.ts';
import { CUBE_VENDOR } from './cube-shape.ts';
import { writeCubeSource } from './cube-source.ts';
import type { CubeWriter } from './cube-writer.ts';
import { exportJoins, exportMeasures } from './export-cube-measures.ts';
import { exportDimensions, exportSegments, named, writeWords } from './export-cube-members.ts';
import { defaultFile } from './import-cube.ts';

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
