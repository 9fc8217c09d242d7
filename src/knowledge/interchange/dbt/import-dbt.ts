import { z } from 'zod';
import type { DescribedTable } from '../conversion/described-model.ts';
import { modelFromDescription } from '../conversion/model-from-description.ts';
import { shortestNames } from '../conversion/names.ts';
import { AsideBox } from '../conversion/vendor-block.ts';
import type { ForeignFile, Imported, Loss } from '../foreign/conversion.ts';
import { type ForeignDocument, type ForeignPath, openForeign } from '../foreign/foreign-document.ts';
import { type ForeignRecord, textOf, withoutEmpty } from '../foreign/foreign-record.ts';
import { isRecord } from '../foreign/lean-model.ts';
import {
  CARRIED_KEYS,
  DBT_VENDOR,
  type DbtKind,
  type DbtNode,
  type DbtProject,
  nodeIndex,
  type Placed,
  readReference,
} from './dbt-project.ts';
import { importLinks } from './dbt-tests.ts';
import { describeNode } from './describe-node.ts';
import { importMetrics } from './import-metrics.ts';
import { readManifest } from './read-manifest.ts';
import { type SemanticModel, semanticLayer } from './semantic-layer.ts';

/**
 * A dbt project as one model: its tables with descriptions, keys, links and allowed values, the dimensions of its
 * semantic models, and the metrics that one table or a ratio can answer.
 */
export function importDbt(files: readonly ForeignFile[]): Imported {
  const losses: Loss[] = [];
  const project = readProject(files, losses);
  const aside = new AsideBox();
  const { nodes, about } = attachSemanticModels(project, aside, losses);
  const names = shortestNames(
    nodes.map(({ source, name }) => [...(source === undefined ? [] : [source.name]), name]),
  );
  const models = new Map<DbtNode, SemanticModel>();
  for (const [index, node] of nodes.entries()) {
    const record = about.get(node)?.record;
    if (record === undefined) continue;
    const dataset = names[index] ?? node.name;
    const table = (node.relation.at(-1) ?? node.name).toLowerCase();
    const logical = { name: dataset, table, members: new Map<string, string>() };
    models.set(node, { name: record.name, dataset, table: logical, record });
  }
  const layer = semanticLayer([...models.values()]);
  const tables = nodes.map(
    (node, index): DescribedTable =>
      describeNode(node, { name: names[index] ?? node.name, semantic: models.get(node), losses }),
  );
  const { metrics, kept } = importMetrics(project.metrics, layer, losses);
  for (const { at, item } of kept) aside.add('metrics', at, item);
  const model = modelFromDescription(
    {
      name: project.name,
      tables,
      links: importLinks(nodes, { names, layer, find: nodeIndex(nodes), losses }),
      metrics,
      extension: withoutEmpty({ ...project.others, ...aside.block() }),
    },
    DBT_VENDOR,
    losses,
  );
  return { models: [model], examples: [], notes: deprecations(nodes), losses };
}

function readProject(files: readonly ForeignFile[], losses: Loss[]): DbtProject {
  const named = (name: string): ForeignFile | undefined =>
    files.find(({ path }) => path.split('/').at(-1)?.toLowerCase() === name);
  const manifest = named('manifest.json');
  const yaml = files.filter(({ path }) => /\.ya?ml$/i.test(path));
  if (manifest === undefined) return readProperties(yaml, losses);
  if (yaml.length > 0) {
    const what = `the manifest says what they say; ${yaml.length} YAML files beside it are not read`;
    losses.push({ kind: 'kept', place: manifest.path, what });
  }
  return readManifest(manifest, named('catalog.json'), losses);
}

interface Attached {
  readonly nodes: readonly DbtNode[];
  readonly about: ReadonlyMap<DbtNode, Placed>;
}

/** Each semantic model with its table; a table that nobody describes stands there for its semantic model alone. */
function attachSemanticModels(project: DbtProject, aside: AsideBox, losses: Loss[]): Attached {
  const nodes = [...project.nodes];
  const find = nodeIndex(nodes);
  const added = new Map<string, DbtNode>();
  const about = new Map<DbtNode, Placed>();
  for (const [at, placed] of project.semanticModels.entries()) {
    const { record, place } = placed;
    const reference = record.model;
    const name = readReference(reference)?.name ?? textOf(reference) ?? record.name;
    const node = find(reference) ?? added.get(name) ?? bareNode(name, place);
    if (!nodes.includes(node)) {
      nodes.push(node);
      added.set(name, node);
    }
    if (about.has(node)) {
      losses.push({
        kind: 'kept',
        place,
        what: `a second semantic model of ${node.name}; the first takes part`,
      });
      aside.add('semantic_models', at, record);
    } else about.set(node, placed);
  }
  return { nodes, about };
}

function bareNode(name: string, place: string): DbtNode {
  return { kind: 'model', name, relation: [name], properties: {}, place };
}

function deprecations(nodes: readonly DbtNode[]): Imported['notes'] {
  return nodes.flatMap(({ name, properties, place }) => {
    const date = textOf(properties.deprecation_date);
    return date === undefined
      ? []
      : [
          {
            text: `The table \`${name}\` is deprecated from ${date.slice(0, 10)}.`,
            topic: 'Deprecated',
            place,
          },
        ];
  });
}

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
function readProperties(files: readonly ForeignFile[], losses: Loss[]): DbtProject {
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
