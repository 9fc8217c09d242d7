import { z } from 'zod';
import type { ForeignFile, Loss } from '../conversion.ts';
import { type ForeignDocument, type ForeignPath, openForeign } from '../foreign-document.ts';
import { type ForeignRecord, textOf } from '../foreign-record.ts';
import { isRecord } from '../lean-model.ts';
import { CARRIED_KEYS, type DbtKind, type DbtNode, type DbtProject, type Placed } from './dbt-project.ts';

const LISTS = { models: 'model', seeds: 'seed', snapshots: 'snapshot' } as const;
const KNOWN_KEYS = new Set<string>([
  ...Object.keys(LISTS),
  ...CARRIED_KEYS,
  'sources',
  'semantic_models',
  'metrics',
  'version',
]);
const NAMED = z.looseObject({ name: z.string().trim().min(1, 'expected a name') });

interface Reader {
  readonly document: ForeignDocument;
  readonly nodes: DbtNode[];
  readonly semanticModels: Placed[];
  readonly metrics: Placed[];
  readonly others: Map<string, unknown[]>;
  readonly losses: Loss[];
}

/** The properties of a project from its YAML files (`*.yml` below `models/`): tables, columns, tests, semantic layer. */
export function readProperties(files: readonly ForeignFile[], losses: Loss[]): DbtProject {
  const others = new Map<string, unknown[]>();
  const found = { nodes: [], semanticModels: [], metrics: [], others, losses };
  let name: string | undefined;
  for (const file of files) {
    const document = openForeign(file);
    if (document.value === null || document.value === undefined) continue;
    if (!isRecord(document.value))
      throw document.fault([], 'expected a mapping with `models`, `sources`, `metrics`, …');
    if (/(?:^|\/)dbt_project\.ya?ml$/.test(file.path)) name = textOf(document.value.name) ?? name;
    else readFile(document.value, { document, ...found });
  }
  const [only, second] = files;
  const fileName =
    second === undefined
      ? only?.path
          .split('/')
          .at(-1)
          ?.replace(/\.ya?ml$/, '')
      : undefined;
  const { nodes, semanticModels, metrics } = found;
  return {
    name: name ?? fileName ?? 'dbt',
    nodes,
    semanticModels,
    metrics,
    others: Object.fromEntries(others),
  };
}

function readFile(value: ForeignRecord, reader: Reader): void {
  const { document, others, losses } = reader;
  for (const key of document.unknownKeys(value, KNOWN_KEYS, []))
    losses.push({
      kind: 'dropped',
      place: document.place([key]),
      what: `\`${key}\` is nothing that is read`,
    });
  for (const [key, kind] of Object.entries(LISTS))
    for (const [record, path] of named(value, key, document))
      reader.nodes.push(node(record, kind, path, reader));
  for (const [group, path] of named(value, 'sources', document)) readSource(group, path, reader);
  for (const [record, path] of named(value, 'semantic_models', document))
    reader.semanticModels.push({ record, place: document.place(path) });
  for (const [record, path] of named(value, 'metrics', document))
    reader.metrics.push({ record, place: document.place(path) });
  for (const key of CARRIED_KEYS) {
    const list = listIn(value, key, [], document);
    if (list.length === 0) continue;
    others.set(key, [...(others.get(key) ?? []), ...list]);
    const what = `${list.length} ${key} are carried along; there is nothing like them here`;
    losses.push({ kind: 'kept', place: document.place([key]), what });
  }
}

type Named = z.infer<typeof NAMED>;

function* named(
  value: ForeignRecord,
  key: string,
  document: ForeignDocument,
  path: ForeignPath = [],
): Generator<[Named, ForeignPath]> {
  for (const [index, item] of listIn(value, key, path, document).entries()) {
    const place = [...path, key, index];
    yield [document.check(NAMED, item, place), place];
  }
}

function listIn(
  value: ForeignRecord,
  key: string,
  path: ForeignPath,
  document: ForeignDocument,
): readonly unknown[] {
  const list = value[key];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw document.fault([...path, key], `${key}: expected a list`);
  return list;
}

function node(
  { name, ...properties }: Named,
  kind: DbtKind,
  path: ForeignPath,
  { document }: Reader,
): DbtNode {
  const config = isRecord(properties.config) ? properties.config : {};
  const alias = textOf(config.alias) ?? name;
  checkColumns(properties, path, document);
  return { kind, name, relation: [alias], properties, place: document.place(path) };
}

function readSource(group: Named, path: ForeignPath, reader: Reader): void {
  const { document } = reader;
  const { tables: _, ...source } = group;
  const schema = textOf(group.schema) ?? group.name;
  const database = textOf(group.database);
  for (const [table, place] of named(group, 'tables', document, path)) {
    const { name, ...properties } = table;
    checkColumns(properties, place, document);
    reader.nodes.push({
      kind: 'source',
      name,
      source,
      relation: [...(database === undefined ? [] : [database]), schema, textOf(table.identifier) ?? name],
      properties,
      place: document.place(place),
    });
  }
}

function checkColumns(properties: ForeignRecord, path: ForeignPath, document: ForeignDocument): void {
  for (const _ of named(properties, 'columns', document, path));
}
