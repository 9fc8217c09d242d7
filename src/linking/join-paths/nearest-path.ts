/** The cheapest chain of keys from one group of tables to another, within a number of joins. */
import { compareText } from '../../lib/index.ts';
import { type JoinKey, otherEnd } from './join-key.ts';

/** Tables that are joined already, each with the joins to the nearest of those that were asked for. */
export type Group = ReadonlyMap<string, number>;

export interface Path {
  /** In order from the group. */
  readonly keys: readonly JoinKey[];
  /** Tables of the path, both ends included. */
  readonly tables: readonly string[];
}

export interface PathSearch {
  /** Tables of all groups, with the same measure; those of the group itself are no goals. */
  readonly goals: Group;
  /** Joins between two tables that were asked for, at most. */
  readonly maxHops: number;
  readonly keysAt: (tableId: string) => readonly JoinKey[];
}

interface Label {
  readonly table: string;
  readonly cost: number;
  /** Joins to the nearest table that was asked for, on the side of the group. */
  readonly hops: number;
  readonly came?: { readonly from: Label; readonly by: JoinKey };
}

/**
 * Least cost first, then fewest joins, then the lesser name: the same for the same input. A dearer way to a table is
 * kept where it is shorter, since the cheap one may run out of joins.
 */
export function nearestPath(group: Group, { goals, maxHops, keysAt }: PathSearch): Path | undefined {
  const best = new Map<string, number>();
  let layers: Label[] = [];
  let found: Label | undefined;
  for (let hops = 0; hops <= maxHops; hops += 1) {
    const starts = [...group].flatMap(([table, at]) => (at === hops ? [{ table, cost: 0, hops }] : []));
    for (const { table } of starts) best.set(table, 0);
    const next = new Map<string, Label>();
    for (const label of [...starts, ...layers].sort((a, b) => compareText(a.table, b.table))) {
      if (hops === maxHops) break;
      for (const key of keysAt(label.table)) {
        const table = otherEnd(key, label.table);
        const cost = label.cost + key.cost;
        if (group.has(table) || cost >= (best.get(table) ?? Number.POSITIVE_INFINITY)) continue;
        const reached = { table, cost, hops: hops + 1, came: { from: label, by: key } };
        const rest = goals.get(table);
        best.set(table, cost);
        if (rest === undefined) next.set(table, reached);
        else if (hops + 1 + rest <= maxHops && (found === undefined || cost < found.cost)) found = reached;
      }
    }
    layers = [...next.values()];
  }
  return found && pathTo(found);
}

function pathTo(end: Label): Path {
  const keys: JoinKey[] = [];
  const tables = [end.table];
  for (let at = end; at.came !== undefined; at = at.came.from) {
    keys.unshift(at.came.by);
    tables.unshift(at.came.from.table);
  }
  return { keys, tables };
}
