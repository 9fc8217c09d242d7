/** Tests that say the keys and links of a model where nothing says them yet. */
import type { DescribedLink, DescribedTable } from '../described-model.ts';
import { type ForeignRecord, recordsIn } from '../foreign-record.ts';
import { type DbtNode, nodeIndex, writeReference } from './dbt-project.ts';
import { keysOf } from './dbt-tests.ts';
import { importLinks } from './import-links.ts';
import { columnOf, entitiesOf, semanticLayer } from './semantic-layer.ts';

/** A table with the properties and the semantic model that are written for it. */
export interface ExportedTable {
  readonly table: DescribedTable;
  readonly node: DbtNode;
  readonly semantic: ForeignRecord | undefined;
}

/** The tables with the tests for every key and every link of one column that they do not say yet. */
export function addFacts(
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
