/** The cheapest way between two groups over keys that are only guessed: one join, or two over a table between. */
import { type JoinKey, otherEnd } from './join-key.ts';
import type { Group, Path, PathSearch } from './nearest-path.ts';

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
