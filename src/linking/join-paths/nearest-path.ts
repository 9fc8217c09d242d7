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

/** The cheapest way between two groups over keys that are only guessed: one join, or two over a table between. */
interface Step {
  readonly from: string;
  readonly key: JoinKey;
  /** Joins to the nearest table that was asked for, on its side. */
  readonly hops: number;
}

/**
 * Searches from both ends, since a guess leads to hundreds of tables: only keys of tables that are joined already are
 * looked at. More than two guesses in a row would be no evidence. Ties go to what comes first.
 */
export function guessedPath(group: Group, { goals, maxHops, keysAt }: PathSearch): Path | undefined {
  const reached = new Map<string, Step>();
  let best: { readonly cost: number; readonly path: Path } | undefined;
  const offer = (cost: number, keys: readonly JoinKey[], tables: readonly string[]): void => {
    if (best === undefined || cost < best.cost) best = { cost, path: { keys, tables } };
  };
  for (const [from, at] of group)
    for (const key of keysAt(from)) {
      const table = otherEnd(key, from);
      if (group.has(table)) continue;
      const rest = goals.get(table);
      if (rest !== undefined && at + 1 + rest <= maxHops) offer(key.cost, [key], [from, table]);
      const known = reached.get(table);
      if (rest === undefined && (known === undefined || key.cost < known.key.cost))
        reached.set(table, { from, key, hops: at + 1 });
    }
  for (const [to, at] of goals)
    for (const key of group.has(to) ? [] : keysAt(to)) {
      const between = otherEnd(key, to);
      const step = reached.get(between);
      if (step === undefined || step.hops + 1 + at > maxHops) continue;
      offer(step.key.cost + key.cost, [step.key, key], [step.from, between, to]);
    }
  return best?.path;
}
