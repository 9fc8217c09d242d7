import { AsideBox } from '../aside.ts';
import type { ForeignFile, Imported, Loss } from '../conversion.ts';
import type { DescribedTable } from '../described-model.ts';
import { shortestNames } from '../distinct-names.ts';
import { textOf, withoutEmpty } from '../foreign-record.ts';
import { modelFromDescription } from '../model-from-description.ts';
import {
  DBT_VENDOR,
  type DbtNode,
  type DbtProject,
  nodeIndex,
  type Placed,
  readReference,
} from './dbt-project.ts';
import { describeNode } from './describe-node.ts';
import { importLinks } from './import-links.ts';
import { importMetrics } from './import-metrics.ts';
import { readManifest } from './read-manifest.ts';
import { readProperties } from './read-properties.ts';
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
