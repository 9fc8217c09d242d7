import type { Catalog, Column, ForeignKey, Table } from '../../../../catalog/index.ts';
import { splitName } from '../../../../language/index.ts';
import { BoundedMap } from '../../../../lib/index.ts';

/** A key that joins two tables, seen from one of them. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
  /** One row of `from` may meet many rows of `to`. */
  readonly multiplies: boolean;
  readonly key: ForeignKey;
}

/** Tables, columns and join edges of a catalog, looked up by canonical id. */
export interface SchemaGraph {
  readonly catalog: Catalog;
  table(id: string): Table;
  column(id: string): Column;
  edges(tableId: string): readonly Edge[];
  /** Joins on the shortest way between two tables; -1 when there is none. */
  distance(a: string, b: string): number;
  /** The key of a table is taken from what points to it: the engine does not know that it tells rows apart. */
  isKeyAssumed(tableId: string): boolean;
  /** Columns whose name has a word, in the order of the catalog. */
  columnsWith(word: string): readonly Column[];
}

export function buildSchemaGraph(
  catalog: Catalog,
  assumedKeys: ReadonlySet<string> = new Set(),
): SchemaGraph {
  const tables = new Map(catalog.tables.map((table) => [table.id, table]));
  const columns = new Map(
    catalog.tables.flatMap((table) => table.columns).map((column) => [column.id, column]),
  );
  const edges = new Map<string, Edge[]>(catalog.tables.map((table) => [table.id, []]));
  for (const key of catalog.foreignKeys) addEdges(edges, key, tables);
  const byWord = columnsByWord(catalog);
  return {
    catalog,
    table: (id) => required(tables.get(id), id),
    column: (id) => required(columns.get(id), id),
    edges: (id) => edges.get(id) ?? [],
    distance: tableDistances(edges),
    isKeyAssumed: (id) => assumedKeys.has(id),
    columnsWith: (word) => byWord.get(word) ?? [],
  };
}

function columnsByWord(catalog: Catalog): Map<string, Column[]> {
  const byWord = new Map<string, Column[]>();
  for (const column of catalog.tables.flatMap((table) => table.columns)) {
    for (const word of new Set(splitName(column.name))) {
      const known = byWord.get(word);
      if (known === undefined) byWord.set(word, [column]);
      else known.push(column);
    }
  }
  return byWord;
}

function required<T>(value: T | undefined, id: string): T {
  if (value === undefined) throw new Error(`not in the catalog: ${id}`);
  return value;
}

function addEdges(edges: Map<string, Edge[]>, key: ForeignKey, tables: ReadonlyMap<string, Table>): void {
  const fromTable = tables.get(key.fromTable);
  if (fromTable === undefined || !tables.has(key.toTable)) return;
  const isUnique = sameSet(fromTable.primaryKey, key.fromColumns);
  edges.get(key.fromTable)?.push({
    from: key.fromTable,
    to: key.toTable,
    fromColumns: key.fromColumns,
    toColumns: key.toColumns,
    multiplies: false,
    key,
  });
  edges.get(key.toTable)?.push({
    from: key.toTable,
    to: key.fromTable,
    fromColumns: key.toColumns,
    toColumns: key.fromColumns,
    multiplies: !isUnique,
    key,
  });
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}

/** Tables whose distances to all others are kept: two bytes a table each. */
const MAX_KEPT = 500;

/** Joins on the shortest way between two tables, -1 when there is none; each start is walked once and kept for a while. */
function tableDistances(
  edges: ReadonlyMap<string, readonly { readonly to: string }[]>,
): (a: string, b: string) => number {
  const places = new Map([...edges.keys()].map((table, place) => [table, place]));
  const neighbours = [...edges.values()].map((list) =>
    Int32Array.from(new Set(list.flatMap((edge) => places.get(edge.to) ?? []))),
  );
  const kept = new BoundedMap<number, Int16Array>(MAX_KEPT);
  const from = (start: number) => kept.getOrMake(start, () => walkFrom(start, neighbours));
  return (a, b) => {
    const [start, end] = [places.get(a), places.get(b)];
    return start === undefined || end === undefined ? -1 : (from(start)[end] ?? -1);
  };
}

function walkFrom(start: number, neighbours: readonly Int32Array[]): Int16Array {
  const distance = new Int16Array(neighbours.length).fill(-1);
  const queue = new Int32Array(neighbours.length);
  distance[start] = 0;
  queue[0] = start;
  for (let head = 0, tail = 1; head < tail; head++) {
    const at = queue[head] ?? start;
    for (const to of neighbours[at] ?? []) {
      if (distance[to] !== -1) continue;
      distance[to] = (distance[at] ?? 0) + 1;
      queue[tail++] = to;
    }
  }
  return distance;
}
