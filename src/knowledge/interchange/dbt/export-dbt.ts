import type { FileModel } from '../../semantic/semantic-file.ts';
import {
  type DescribedLink,
  type DescribedModel,
  type DescribedTable,
  describeModel,
  tableOf,
} from '../conversion/described-model.ts';
import { distinctName, fileNameOf } from '../conversion/names.ts';
import { putBack } from '../conversion/vendor-block.ts';
import type { ForeignFile } from '../foreign/conversion.ts';
import { type ForeignRecord, recordsIn, textOf, withoutEmpty } from '../foreign/foreign-record.ts';
import { isRecord } from '../foreign/lean-model.ts';
import { writeYaml } from '../foreign/write-yaml.ts';
import { CARRIED_KEYS, DBT_VENDOR, type DbtNode, nodeIndex, writeReference } from './dbt-project.ts';
import { importLinks, keysOf } from './dbt-tests.ts';
import { exportMetrics } from './export-metrics.ts';
import { exportSemanticModel } from './export-semantic-model.ts';
import { columnOf, entitiesOf, semanticLayer } from './semantic-layer.ts';
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

// Tests that say the keys and links of a model where nothing says them yet.

/** A table with the properties and the semantic model that are written for it. */
interface ExportedTable {
  readonly table: DescribedTable;
  readonly node: DbtNode;
  readonly semantic: ForeignRecord | undefined;
}

/** The tables with the tests for every key and every link of one column that they do not say yet. */
function addFacts(
  tables: readonly ExportedTable[],
  links: readonly DescribedLink[],
): readonly ExportedTable[] {
  const withKeys = tables.map((item) => ({ ...item, node: addKeys(item) }));
  const nodes = withKeys.map(({ node }) => node);
  const names = tables.map(({ table }) => table.name);
  const layer = semanticLayer(
    withKeys.flatMap(({ table, semantic }) => {
      const logical = { name: table.name, table: table.name, members: new Map<string, string>() };
      return semantic === undefined
        ? []
        : [{ name: String(semantic.name), dataset: table.name, table: logical, record: semantic }];
    }),
  );
  const keyOf = ({ from, fromColumns, to, toColumns }: DescribedLink): string =>
    JSON.stringify([from, fromColumns, to, toColumns]).toLowerCase();
  const said = new Set(importLinks(nodes, { names, layer, find: nodeIndex(nodes), losses: [] }).map(keyOf));
  const byName = new Map(withKeys.map(({ table, node }) => [table.name, node]));
  const missing = links.filter((link) => !said.has(keyOf(link)));
  return withKeys.map((item) => ({
    ...item,
    node: missing
      .filter(({ from }) => from === item.table.name)
      .reduce((node, link) => addLink(node, link, byName.get(link.to)), item.node),
  }));
}

function addKeys({ table, node, semantic }: ExportedTable): DbtNode {
  const columns = recordsIn(node.properties.columns);
  const { primaryKey, uniqueKeys } = keysOf(node.properties, columns);
  const entity = entitiesOf(semantic ?? {}, ['primary']).map(columnOf)[0];
  const isByEntity =
    primaryKey.length === 0 && table.primaryKey.length === 1 && table.primaryKey[0] === entity;
  const isSaid = isByEntity || isSame(primaryKey, table.primaryKey);
  let result = node;
  const [only, second] = table.primaryKey;
  if (!isSaid && only !== undefined && second === undefined)
    result = addTests(addTests(result, only, 'unique'), only, 'not_null');
  if (!isSaid && second !== undefined) result = addConstraint(result, table.primaryKey);
  for (const key of table.uniqueKeys) {
    const [column, other] = key;
    if (column === undefined || other !== undefined || uniqueKeys.some((known) => isSame(known, key)))
      continue;
    result = addTests(result, column, 'unique');
  }
  return result;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}

/** A key of several columns is a constraint: no test of dbt's own says it. */
function addConstraint(node: DbtNode, columns: readonly string[]): DbtNode {
  const constraints = [
    ...recordsIn(node.properties.constraints),
    { type: 'primary_key', columns: [...columns] },
  ];
  return { ...node, properties: { ...node.properties, constraints } };
}

function addLink(
  node: DbtNode,
  { fromColumns, toColumns }: DescribedLink,
  target: DbtNode | undefined,
): DbtNode {
  const [column, second] = fromColumns;
  const [field] = toColumns;
  if (column === undefined || second !== undefined || target === undefined) return node;
  return addTests(node, column, { relationships: { to: writeReference(target), field } });
}

/** The test at the column, which is documented for it where it is not yet. */
function addTests(node: DbtNode, name: string, test: unknown): DbtNode {
  const columns = recordsIn(node.properties.columns);
  const found = columns.find((column) => column.name === name);
  const column: ForeignRecord = found ?? { name };
  const key = Array.isArray(column.tests) ? 'tests' : 'data_tests';
  const tests = Array.isArray(column[key]) ? column[key] : [];
  if (tests.includes(test)) return node;
  const changed = { ...column, [key]: [...tests, test] };
  const all =
    found === undefined ? [...columns, changed] : columns.map((item) => (item === found ? changed : item));
  return { ...node, properties: { ...node.properties, columns: all } };
}
