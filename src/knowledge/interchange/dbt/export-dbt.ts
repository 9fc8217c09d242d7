import type { FileModel } from '../../semantic/semantic-file.ts';
import { putBack } from '../aside.ts';
import type { ForeignFile } from '../conversion.ts';
import { describeModel, tableOf } from '../describe-model.ts';
import type { DescribedModel, DescribedTable } from '../described-model.ts';
import { distinctName, fileNameOf } from '../distinct-names.ts';
import { type ForeignRecord, recordsIn, textOf, withoutEmpty } from '../foreign-record.ts';
import { isRecord } from '../lean-model.ts';
import { writeYaml } from '../write-yaml.ts';
import { CARRIED_KEYS, DBT_VENDOR, type DbtNode } from './dbt-project.ts';
import { addFacts, type ExportedTable } from './export-facts.ts';
import { exportMetrics } from './export-metrics.ts';
import { exportSemanticModel } from './export-semantic-model.ts';
import { dbtName, withSynonyms } from './spoken-words.ts';

/**
 * One file of properties for each model: descriptions, tests, semantic models and metrics, as people write them below
 * `models/`. A manifest is what dbt makes of it.
 */
export function exportDbt(models: readonly FileModel[]): readonly ForeignFile[] {
  return models.map((model) => {
    const described = describeModel(model, DBT_VENDOR);
    const path = `models/${fileNameOf(model.name)}.yml`;
    return { path, text: writeYaml(projectFile(described)) };
  });
}

function projectFile(described: DescribedModel): ForeignRecord {
  const names = new Set<string>();
  const nodes = described.tables.map((table) => exportNode(table, names));
  const metrics = exportMetrics(described, nodes);
  const tables = described.tables.flatMap((table, index): ExportedTable[] => {
    const node = nodes[index];
    if (node === undefined) return [];
    const links = described.links.filter(({ from }) => from === table.name);
    const semantic = exportSemanticModel(table, node, {
      described,
      links,
      measures: metrics.measuresOf(table.name),
    });
    return [{ table, node, semantic }];
  });
  const complete = addFacts(tables, described.links);
  const extension = described.extension ?? {};
  const of = (kind: DbtNode['kind']): unknown[] =>
    complete
      .filter(({ node }) => node.kind === kind)
      .map(({ node }) => ({ name: node.name, ...node.properties }));
  const semanticModels = complete.flatMap(({ semantic }) => (semantic === undefined ? [] : [semantic]));
  const aside = { aside: extension.aside };
  return {
    version: 2,
    ...withoutEmpty({
      sources: groupSources(complete.map(({ node }) => node)),
      seeds: of('seed'),
      snapshots: of('snapshot'),
      models: of('model'),
      semantic_models: putBack(semanticModels, 'semantic_models', aside),
      metrics: putBack(metrics.metrics, 'metrics', aside),
      ...Object.fromEntries(CARRIED_KEYS.map((key) => [key, extension[key]])),
    }),
  };
}

/** The properties of a table without what keys and links add to them. */
function exportNode(table: DescribedTable, names: Set<string>): DbtNode {
  const { extension = {}, source, description, synonyms } = table;
  const kind = (['source', 'seed', 'snapshot'] as const).find((item) => item === extension.kind) ?? 'model';
  const group = recordsIn([extension.source])[0];
  const groupName = textOf(group?.name);
  const isSource = kind === 'source' && group !== undefined && groupName !== undefined;
  const said = textOf(extension.name) ?? (extension.kind === undefined ? dbtName(table.name) : table.name);
  const name = isSource ? said : distinctName([said], names);
  const kept = recordsIn([extension.properties])[0] ?? {};
  const ownText = extension.described === 'semantic_model' ? undefined : description;
  const columns = table.columns
    .filter((column) => column.expression === undefined && column.extension?.only_dimension !== true)
    .map(exportColumn);
  const alias =
    extension.kind === undefined && tableOf(source) !== name ? { config: { alias: tableOf(source) } } : {};
  const properties = withSynonyms({ ...withoutEmpty({ description: ownText }), ...alias, ...kept }, synonyms);
  return {
    kind: isSource ? 'source' : kind === 'source' ? 'model' : kind,
    name,
    ...(isSource ? { source: { ...group, name: groupName } } : {}),
    relation: [name],
    properties: { ...properties, ...withoutEmpty({ columns }) },
    place: table.name,
  };
}

function exportColumn(column: DescribedTable['columns'][number]): ForeignRecord {
  const { name, description, datatype, synonyms, extension = {} } = column;
  const kept = isRecord(extension.column) ? extension.column : {};
  const isOwn = extension.described !== 'dimension';
  return withSynonyms(
    { name, ...withoutEmpty({ description: isOwn ? description : undefined, data_type: datatype }), ...kept },
    synonyms,
  );
}

/** Tables of one group stand below it. */
function groupSources(nodes: readonly DbtNode[]): ForeignRecord[] {
  const groups = new Map<string, { readonly source: ForeignRecord; readonly tables: ForeignRecord[] }>();
  for (const { kind, source, name, properties } of nodes) {
    if (kind !== 'source' || source === undefined) continue;
    const group = groups.get(source.name) ?? { source, tables: [] };
    group.tables.push({ name, ...properties });
    groups.set(source.name, group);
  }
  return [...groups.values()].map(({ source, tables }) => ({ ...source, tables }));
}
