/** The tables and columns that are needed to join what was linked. */
import { compareText } from '../../lib/index.ts';
import type { LinkedItem, LinkReason } from '../schema/linked-schema.ts';
import { type JoinKey, type JoinKeys, otherEnd } from './join-key.ts';
import { type Group, guessedPath, nearestPath, type Path, type PathSearch } from './nearest-path.ts';

export interface JoinPathOptions {
  /** Joins between two tables that were asked for, at most. */
  readonly maxHops?: number;
}

export interface JoinPaths {
  /** Every key between two of the tables that somebody states, and those of the paths. */
  readonly keys: readonly JoinKey[];
  /** Tables that nobody asked for, and columns of the keys: `isAuto`, each with its reasons, by id. */
  readonly items: readonly LinkedItem[];
  /** The tables in groups that no path of so many joins connects; one group where all are joined. */
  readonly groups: readonly (readonly string[])[];
}

const MAX_HOPS = 3;
/** Guessed keys are many; a question joins fewer groups than this. */
const MOST_GUESSED_SEARCHES = 40;

/**
 * Grows trees of shortest paths until as many of the tables as possible are joined: over stated keys first, then, where
 * those do not lead, over guesses from equal names. Tables of one family count once, and their keys stand for all.
 * Source: ThothAI, section 10, backbone `paths`; trees after Takahashi and Matsuyama 1980.
 */
export function joinPaths(
  keys: JoinKeys,
  tableIds: Iterable<string>,
  { maxHops = MAX_HOPS }: JoinPathOptions = {},
): JoinPaths {
  const asked = new Set([...tableIds].sort(compareText));
  const alike = familiesOf(asked, keys);
  const taken: Path[] = [];
  const direct = maxHops < 1 ? [...alike.keys()].map((id) => [id]) : directGroups([...alike.keys()], keys);
  const joined = direct.map((ids): Group => new Map(ids.map((id) => [id, 0])));
  const overStated = { find: nearestPath, most: 2 * joined.length, maxHops, keysAt: keys.stated };
  const stated = mergeGroups(joined, taken, overStated);
  const inView = new Set(stated.flatMap((group) => [...group.keys()]));
  const keysAt = onceEach((id) => [...keys.stated(id), ...keys.guessed(id, inView)]);
  const overGuessed = { find: guessedPath, most: MOST_GUESSED_SEARCHES, maxHops, keysAt };
  const groups = mergeGroups(stated, taken, overGuessed);
  const wanted = new Set([...alike.values()].flat());
  const between = [...wanted].flatMap((id) => keys.stated(id).filter((key) => wanted.has(otherEnd(key, id))));
  const all = distinct([...taken.flatMap((path) => path.keys), ...between], alike);
  return {
    keys: all,
    items: itemsOf(all, taken, wanted),
    groups: groups.map((group) => [...group.keys()].flatMap((id) => alike.get(id) ?? [])),
  };
}

/** By the first of each family: the tables that were asked for; unknown ones are left out. */
function familiesOf(asked: ReadonlySet<string>, keys: JoinKeys): ReadonlyMap<string, readonly string[]> {
  const families = new Map<string, readonly string[]>();
  const counted = new Set<string>();
  for (const id of asked) {
    const family = counted.has(id) ? [] : keys.alike(id, asked);
    if (family.length > 0) families.set(id, family);
    for (const other of family) counted.add(other);
  }
  return families;
}

/** Tables that stated keys join without a table between; their keys need no search. In order. */
function directGroups(ids: readonly string[], keys: JoinKeys): readonly (readonly string[])[] {
  const left = new Set(ids);
  const groups: string[][] = [];
  for (const first of ids) {
    if (!left.delete(first)) continue;
    const group = [first];
    for (const id of group)
      for (const key of keys.stated(id)) {
        const other = otherEnd(key, id);
        if (left.delete(other)) group.push(other);
      }
    groups.push(group.sort(compareText));
  }
  return groups;
}

interface MergeOptions extends Omit<PathSearch, 'goals'> {
  readonly find: (group: Group, search: PathSearch) => Path | undefined;
  /** Searches at most. */
  readonly most: number;
}

/** Joins each group to its nearest other until none can be reached; adds the paths taken. */
function mergeGroups(
  groups: readonly Group[],
  taken: Path[],
  { find, most, maxHops, keysAt }: MergeOptions,
): Group[] {
  const open = [...groups];
  const closed: Group[] = [];
  // Of all groups at once: a search passes over the tables of its own.
  const goals = new Map(groups.flatMap((group) => [...group]));
  const owner = new Map(groups.flatMap((group) => [...group.keys()].map((id) => [id, group] as const)));
  for (let searches = 0; searches < most && open.length + closed.length > 1; searches += 1) {
    const group = open.shift();
    if (group === undefined) break;
    const path = find(group, { goals, maxHops, keysAt });
    const reached = owner.get(path?.tables.at(-1) ?? '');
    if (path === undefined || reached === undefined) {
      closed.push(group);
      continue;
    }
    taken.push({ ...path, keys: withEqualKeys(path, keysAt) });
    for (const list of [open, closed]) if (list.includes(reached)) list.splice(list.indexOf(reached), 1);
    const merged = withPath(group, reached, path);
    for (const [id, hops] of merged) {
      goals.set(id, hops);
      owner.set(id, merged);
    }
    open.unshift(merged);
  }
  return [...open, ...closed];
}

/** Both groups and the tables between, each with its joins to the nearest table that was asked for. */
function withPath(group: Group, reached: Group, { tables }: Path): Group {
  const merged = new Map([...group, ...reached]);
  const first = group.get(tables[0] ?? '') ?? 0;
  const last = reached.get(tables.at(-1) ?? '') ?? 0;
  for (const [at, id] of tables.entries())
    if (!merged.has(id)) merged.set(id, Math.min(first + at, last + tables.length - 1 - at));
  return merged;
}

/** The keys of a path and those that are as good: an order has a billing and a shipping address. */
function withEqualKeys({ keys, tables }: Path, keysAt: MergeOptions['keysAt']): readonly JoinKey[] {
  return keys.flatMap((key, at) => {
    const from = tables[at] ?? '';
    const end = otherEnd(key, from);
    return keysAt(from).filter((other) => otherEnd(other, from) === end && other.cost === key.cost);
  });
}

/** Each key once, and for the other tables that were asked for of a family: their columns have equal names. */
function distinct(
  keys: readonly JoinKey[],
  alike: ReadonlyMap<string, readonly string[]>,
): readonly JoinKey[] {
  const once = new Map<string, JoinKey>();
  for (const key of keys) {
    const { leftTable, rightTable } = key;
    for (const left of alike.get(leftTable) ?? [leftTable]) addTo(once, moved(key, left, rightTable));
    for (const right of alike.get(rightTable) ?? []) addTo(once, moved(key, leftTable, right));
  }
  return [...once.values()];
}

function addTo(once: Map<string, JoinKey>, key: JoinKey): void {
  const text = key.on
    .map((pair) => [...pair].sort(compareText).join('='))
    .sort(compareText)
    .join(' ');
  if (!once.has(text)) once.set(text, key);
}

function moved(key: JoinKey, leftTable: string, rightTable: string): JoinKey {
  const to = (columnId: string, from: string, table: string): string => table + columnId.slice(from.length);
  const on = key.on.map(
    ([left, right]) => [to(left, key.leftTable, leftTable), to(right, key.rightTable, rightTable)] as const,
  );
  return { ...key, leftTable, rightTable, on };
}

function itemsOf(
  keys: readonly JoinKey[],
  paths: readonly Path[],
  wanted: ReadonlySet<string>,
): readonly LinkedItem[] {
  const reasons = new Map<string, { readonly kind: LinkedItem['kind']; readonly because: LinkReason[] }>();
  const add = (id: string, kind: LinkedItem['kind'], text: string): void => {
    const known = reasons.get(id) ?? { kind, because: [] };
    if (!known.because.some((reason) => reason.text === text))
      known.because.push({ kind: 'join-path', text });
    reasons.set(id, known);
  };
  for (const { tables } of paths)
    for (const id of tables.slice(1, -1))
      if (!wanted.has(id)) add(id, 'table', `it stands between ${tables[0]} and ${tables.at(-1)}`);
  for (const { on, because } of keys)
    for (const [left, right] of on)
      for (const id of [left, right]) add(id, 'field', `it joins: ${left} = ${right}, ${because}`);
  return [...reasons]
    .map(([id, item]) => ({ id, ...item, tier: 'relevant' as const, isAuto: true }))
    .sort((a, b) => compareText(a.id, b.id));
}

/** A function that remembers what it has made. */
function onceEach<Value>(make: (id: string) => Value): (id: string) => Value {
  const made = new Map<string, Value>();
  return (id) => {
    const known = made.get(id) ?? make(id);
    made.set(id, known);
    return known;
  };
}
