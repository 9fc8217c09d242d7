/** Joins of a table as its side sees them, from the graph or, without one, from the keys of the catalog. */
import type { ForeignKey } from '../../catalog/index.ts';
import type { KnowledgeGraph } from '../../knowledge/graph/index.ts';
import type { SharedTables } from '../../knowledge/retrieve/index.ts';

type JoinEdge = ReturnType<KnowledgeGraph['joins']>[number];

export interface KnownJoin {
  readonly table: string;
  readonly other: string;
  /** Column ids. */
  readonly on: readonly (readonly [own: string, other: string])[];
  /** Who says so: `declared key`, `used 120 times`. */
  readonly said: string;
}

/** Surest first. A join with a table or column that is not in the catalog is none for this reader. */
export function knownJoins(
  tables: SharedTables,
  graph: KnowledgeGraph | undefined,
): (tableId: string) => readonly KnownJoin[] {
  const byTable = graph === undefined ? joinsByTable(tables.catalog.foreignKeys) : undefined;
  const isVisible = ({ other, on }: KnownJoin): boolean =>
    tables.table(other) !== undefined &&
    on.every((pair) => pair.every((id) => tables.column(id) !== undefined));
  return (tableId) => {
    const all = byTable?.get(tableId) ?? graph?.joins(tableId).map((edge) => fromSide(edge, tableId)) ?? [];
    return all.filter(isVisible);
  };
}

function fromSide({ leftTable, rightTable, on, said }: JoinEdge, tableId: string): KnownJoin {
  const isLeft = leftTable === tableId;
  return {
    table: tableId,
    other: isLeft ? rightTable : leftTable,
    on: isLeft ? on : on.map(([left, right]) => [right, left] as const),
    said: said.map(({ value }) => saidText(value)).join(', '),
  };
}

function saidText(value: JoinEdge['said'][number]['value']): string {
  if (typeof value !== 'string') return `used ${value.runs} times`;
  return value === 'semantic' ? 'semantic model' : `${value} key`;
}

function joinsByTable(keys: readonly ForeignKey[]): ReadonlyMap<string, readonly KnownJoin[]> {
  const byTable = new Map<string, KnownJoin[]>();
  const add = (join: KnownJoin): void => {
    const known = byTable.get(join.table);
    if (known === undefined) byTable.set(join.table, [join]);
    else known.push(join);
  };
  for (const { fromTable, fromColumns, toTable, toColumns, source } of keys) {
    const on = fromColumns.flatMap((from, at) => {
      const to = toColumns[at];
      return to === undefined ? [] : [[from, to] as const];
    });
    const said = saidText(source);
    add({ table: fromTable, other: toTable, on, said });
    if (fromTable !== toTable)
      add({ table: toTable, other: fromTable, on: on.map(([a, b]) => [b, a] as const), said });
  }
  return byTable;
}
