/** Everything that says how tables are joined, as edges with a cost. */

import type { Column, ForeignKey } from '../../catalog/index.ts';
import type { KnowledgeGraph } from '../../knowledge/graph/index.ts';
import type { TableIndex } from '../../knowledge/retrieve/index.ts';
import { compareText } from '../../lib/index.ts';
import type { JoinKey, JoinKeys } from './join-key.ts';
import { indexSameNames, type SameNames, sameNameKeys } from './same-name-keys.ts';

export interface JoinKeyOptions {
  /** Where joins of query logs come from; the keys of the catalog are read from the catalog. */
  readonly graph?: Pick<KnowledgeGraph, 'joins'>;
  /** Equal names as a guess: where one of the two tables has no other key (default), wherever, or never. */
  readonly sameNames?: 'keyless' | 'always' | 'never';
}

/** A join that people run is as good as declared; an inferred key costs the more the less sure it is. */
const SURE_COST = 100;
const USED_COST = 110;
const INFERRED_COST = 120;
const DOUBT_COST = 80;
/** Two events of one day have nothing else to do with each other: a path over a calendar is the last to take. */
const DAY_COST = 60;

/** Prepares the keys of a catalog; a table's own are put together when a path first comes by. */
export function joinKeys(tables: TableIndex, options: JoinKeyOptions = {}): JoinKeys {
  const { graph, sameNames = 'keyless' } = options;
  const declared = keysByTable(tables.catalog.foreignKeys, tables);
  const stated = new Map<string, readonly JoinKey[]>();
  let names: SameNames | undefined;
  // One search asks for thousands of tables with the same set.
  const grouped = new WeakMap<ReadonlySet<string>, ReturnType<typeof groupByFamily>>();
  const familiesOf = (wanted: ReadonlySet<string>): ReturnType<typeof groupByFamily> => {
    const known = grouped.get(wanted) ?? groupByFamily(wanted, tables);
    grouped.set(wanted, known);
    return known;
  };
  const statedAt = (id: string): readonly JoinKey[] => {
    const known =
      stated.get(id) ?? surestFirst([...(declared.get(id) ?? []), ...usedKeys(id, graph, tables)]);
    stated.set(id, known);
    return known;
  };
  return {
    stated: statedAt,
    guessed: (id, wanted) => {
      const family = tables.familyOf(id);
      if (family === undefined || sameNames === 'never') return [];
      names ??= indexSameNames(tables);
      const found = sameNameKeys(id, family, { names, wanted: familiesOf(wanted) });
      if (sameNames === 'always' || statedAt(id).length === 0) return found;
      return found.filter(({ rightTable }) => statedAt(rightTable).length === 0);
    },
    alike: (id, wanted) => {
      const family = tables.familyOf(id);
      return family === undefined ? [] : (familiesOf(wanted).get(family) ?? []);
    },
  };
}

type TableFamily = TableIndex['families'][number];

function groupByFamily(
  ids: ReadonlySet<string>,
  tables: TableIndex,
): ReadonlyMap<TableFamily, readonly string[]> {
  const groups = new Map<TableFamily, string[]>();
  for (const id of ids) {
    const family = tables.familyOf(id);
    if (family === undefined) continue;
    const known = groups.get(family);
    if (known === undefined) groups.set(family, [id]);
    else known.push(id);
  }
  return groups;
}

function keysByTable(
  foreignKeys: readonly ForeignKey[],
  tables: TableIndex,
): ReadonlyMap<string, readonly JoinKey[]> {
  const byTable = new Map<string, JoinKey[]>();
  for (const key of foreignKeys) {
    const edge = ofForeignKey(key, tables);
    const ends = [edge.leftTable, edge.rightTable];
    if (edge.leftTable === edge.rightTable || ends.some((id) => tables.table(id) === undefined)) continue;
    for (const id of ends) {
      const known = byTable.get(id);
      if (known === undefined) byTable.set(id, [edge]);
      else known.push(edge);
    }
  }
  return byTable;
}

function ofForeignKey(
  { fromTable, fromColumns, toTable, toColumns, source, confidence }: ForeignKey,
  tables: TableIndex,
): JoinKey {
  const on = fromColumns.flatMap((from, at) => {
    const to = toColumns[at];
    return to === undefined ? [] : [[from, to] as const];
  });
  const { cost, because } = priceOf(source, confidence);
  const isOfDays = fromColumns.some((id) => isDay(tables.column(id)));
  return {
    leftTable: fromTable,
    rightTable: toTable,
    on,
    source,
    cost: cost + (isOfDays ? DAY_COST : 0),
    because,
  };
}

function isDay(column: Column | undefined): boolean {
  const { semanticClass, pattern } = column?.profile ?? {};
  return column?.family === 'time' || semanticClass === 'temporal' || pattern?.startsWith('iso-') === true;
}

function priceOf(source: ForeignKey['source'], confidence = 0.5): Pick<JoinKey, 'cost' | 'because'> {
  switch (source) {
    case 'declared':
      return { cost: SURE_COST, because: 'a declared key' };
    case 'semantic':
      return { cost: SURE_COST, because: 'a key of the semantic model' };
    case 'inferred':
      return {
        cost: INFERRED_COST + Math.round(DOUBT_COST * (1 - confidence)),
        because: `a key inferred from names and values (${confidence})`,
      };
  }
}

/** Joins of query logs whose two tables are both in view. */
function usedKeys(id: string, graph: JoinKeyOptions['graph'], tables: TableIndex): JoinKey[] {
  return (graph?.joins(id) ?? []).flatMap(({ leftTable, rightTable, on, said }): JoinKey[] => {
    const used = said.flatMap(({ value }) => (typeof value === 'string' ? [] : [value.runs]));
    const isInView = tables.table(leftTable) !== undefined && tables.table(rightTable) !== undefined;
    if (used.length === 0 || !isInView || leftTable === rightTable) return [];
    const runs = used.reduce((sum, each) => sum + each, 0);
    return [
      { leftTable, rightTable, on, source: 'used', cost: USED_COST, because: `in query logs, runs: ${runs}` },
    ];
  });
}

/** Of keys on the same columns the surest. */
function surestFirst(keys: readonly JoinKey[]): readonly JoinKey[] {
  const kept = new Map<string, JoinKey>();
  const priced = keys.map((key) => ({ key, columns: columnsOf(key) }));
  for (const { key, columns } of priced.sort(
    (a, b) => a.key.cost - b.key.cost || compareText(a.columns, b.columns),
  ))
    if (!kept.has(columns)) kept.set(columns, key);
  return [...kept.values()];
}

function columnsOf({ on }: JoinKey): string {
  return on
    .map((pair) => [...pair].sort(compareText).join('='))
    .sort(compareText)
    .join(' ');
}
