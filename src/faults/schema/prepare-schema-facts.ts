/** Makes a catalog ready for the features of nodes: look-ups by id and name, keys, values that were seen. */
import type { Catalog, Column, ForeignKey, Table } from '../../catalog/index.ts';
import type { SampledValues, SchemaFacts } from './schema-facts.ts';
import { nearestSchemaName } from './schema-facts.ts';

/** Profiles cut longer texts, so a longer value may be one of them and not be found. */
const WHOLE_CHARS = 80;

export interface SchemaFactsOptions {
  /** Values of columns, by id, where more is known of them than their profiles keep. */
  readonly stored?: ReadonlyMap<string, SampledValues>;
}

/** Reads the catalog once; what few queries ask for (near names, values of a column) is found at the first need. */
export function prepareSchemaFacts(catalog: Catalog, { stored }: SchemaFactsOptions = {}): SchemaFacts {
  const allColumns = catalog.tables.flatMap((table) => table.columns);
  const tablesNamed = byLowerName(catalog.tables);
  const columnsNamed = byLowerName(allColumns);
  const columns = new Map(allColumns.map((column) => [column.id, column]));
  const sampled = sampledValues(columns);
  return {
    catalog,
    tables: new Map(catalog.tables.map((table) => [table.id, table])),
    columns,
    tablesNamed,
    columnsNamed,
    primaryKeys: new Set(catalog.tables.flatMap(({ primaryKey }) => primaryKey)),
    referring: new Set(catalog.foreignKeys.flatMap(({ fromColumns }) => fromColumns)),
    referred: new Set(catalog.foreignKeys.flatMap(({ toColumns }) => toColumns)),
    isKeyPair: keyPairs(catalog.foreignKeys),
    nearest: nearestSchemaName(namesOf(catalog.tables, allColumns)),
    valuesOf: (columnId) => stored?.get(columnId) ?? sampled(columnId),
  };
}

function byLowerName<Named extends { readonly name: string }>(
  all: readonly Named[],
): ReadonlyMap<string, readonly Named[]> {
  const lists = new Map<string, Named[]>();
  for (const one of all) {
    const key = one.name.toLowerCase();
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [one]);
    else list.push(one);
  }
  return lists;
}

function* namesOf(tables: readonly Table[], columns: readonly Column[]): Generator<string> {
  for (const { name } of tables) yield name;
  for (const { name } of columns) yield name;
}

/** The columns of a composite key are pairs in the order they are declared in. */
function keyPairs(keys: readonly ForeignKey[]): SchemaFacts['isKeyPair'] {
  const partners = new Map<string, Set<string>>();
  const add = (one: string, other: string) => {
    const known = partners.get(one);
    if (known === undefined) partners.set(one, new Set([other]));
    else known.add(other);
  };
  for (const { fromColumns, toColumns } of keys) {
    fromColumns.forEach((from, index) => {
      const to = toColumns[index];
      if (to === undefined) return;
      add(from, to);
      add(to, from);
    });
  }
  return (one, other) => partners.get(one)?.has(other) ?? false;
}

function sampledValues(columns: ReadonlyMap<string, Column>): SchemaFacts['valuesOf'] {
  const read = new Map<string, SampledValues | undefined>();
  return (columnId) => {
    if (read.has(columnId)) return read.get(columnId);
    const column = columns.get(columnId);
    if (column === undefined) return undefined;
    const values = readValues(column);
    read.set(columnId, values);
    return values;
  };
}

/** Of a column whose values are withheld, nothing. */
function readValues({ profile }: Column): SampledValues | undefined {
  if (profile === undefined || profile.pii?.isWithheld === true) return undefined;
  const frequent = profile.statistics?.topValues?.map(({ value }) => value) ?? [];
  const exact = new Set([...frequent, ...profile.examples]);
  if (exact.size === 0) return undefined;
  const values = [...exact];
  const isWhole = profile.sampledBy === undefined && exact.size >= profile.distinctCount;
  return {
    exact,
    folded: new Set(values.map((value) => value.trim().toLowerCase())),
    isComplete: isWhole && values.every((value) => value.length < WHOLE_CHARS),
  };
}
