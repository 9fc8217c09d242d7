/** Differences of two trees of plain data, lists compared by the names of what is in them; and putting them back. */
import { isRecord } from './lean-model.ts';

/** One difference. Steps are keys of mappings and names of what is in a list. */
export interface Change {
  readonly at: readonly string[];
  /** What stands there; absent where there is nothing. */
  readonly was?: unknown;
  /** What is to stand there; absent where it is to go. */
  readonly now?: unknown;
  /** Of a list: the names in the order they are to have. */
  readonly order?: readonly string[];
}

/** The changes that turn `was` into `now`, smallest parts first. */
export function diffTrees(was: unknown, now: unknown, at: readonly string[] = []): Change[] {
  const [before, after] = [entriesOf(was), entriesOf(now)];
  if (before === undefined || after === undefined || Array.isArray(was) !== Array.isArray(now))
    return isSame(was, now)
      ? []
      : [{ at, ...(was === undefined ? {} : { was }), ...(now === undefined ? {} : { now }) }];
  const renamed = Array.isArray(now) ? renamesOf(before, after) : new Map<string, string>();
  const names = new Set([...after.keys(), ...before.keys()].filter((name) => !renamed.has(name)));
  const changes = [...names].flatMap((name) => {
    const old = [...renamed].find(([, is]) => is === name)?.[0] ?? name;
    const inside = diffTrees(before.get(old), after.get(name), [...at, old]);
    // The new name last: until then the old one is the path to the rest.
    const isName = (change: Change) =>
      Array.isArray(now) && change.at.length === at.length + 2 && change.at.at(-1) === 'name';
    return [...inside.filter((change) => !isName(change)), ...inside.filter(isName)];
  });
  if (!Array.isArray(now)) return changes;
  const order = [...after.keys()];
  const settled = [...before.keys()]
    .map((name) => renamed.get(name) ?? name)
    .filter((name) => after.has(name));
  const arrived = [...settled, ...order.filter((name) => !settled.includes(name))];
  return isSame(order, arrived) ? changes : [...changes, { at, order }];
}

/** Old names and new ones of what is the same but for its name and the words about it. */
function renamesOf(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  const gone = [...before].filter(([name]) => !after.has(name));
  const arrived = new Map([...after].filter(([name]) => !before.has(name)));
  for (const [old, value] of gone) {
    const [name] = [...arrived].find(([, other]) => isSame(substanceOf(value), substanceOf(other))) ?? [];
    if (name === undefined) continue;
    renamed.set(old, name);
    arrived.delete(name);
  }
  return renamed;
}

function substanceOf(value: unknown): unknown {
  if (!isRecord(value) || value.name === undefined) return Symbol('without a name');
  return Object.fromEntries(Object.entries(value).filter(([key]) => !WORDS.has(key)));
}

const WORDS = new Set(['name', 'description', 'label', 'ai_context', 'custom_extensions']);

/**
 * Applies changes where the tree still is what it was when they were made; those that find something else are
 * returned, and leave it as it is.
 */
export function applyChanges(
  tree: unknown,
  changes: readonly Change[],
): { readonly tree: unknown; readonly refused: readonly Change[] } {
  const refused: Change[] = [];
  let result = tree;
  for (const change of changes) {
    const next = applyAt(result, change, 0);
    if (next === REFUSED) refused.push(change);
    else result = next;
  }
  return { tree: result, refused };
}

const REFUSED = Symbol('refused');

function applyAt(value: unknown, change: Change, depth: number): unknown {
  const step = change.at[depth];
  if (step === undefined) return replaced(value, change);
  const entries = entriesOf(value);
  if (entries === undefined) return REFUSED;
  const next = applyAt(entries.get(step), change, depth + 1);
  if (next === REFUSED) return REFUSED;
  const changed = new Map(entries);
  if (next === undefined) changed.delete(step);
  else changed.set(step, next);
  return Array.isArray(value) ? [...changed.values()] : Object.fromEntries(changed);
}

function replaced(value: unknown, { was, now, order }: Change): unknown {
  if (order === undefined) return isSame(value, was) ? now : REFUSED;
  const entries = Array.isArray(value) ? entriesOf(value) : undefined;
  if (entries === undefined) return REFUSED;
  const others = [...entries.keys()].filter((name) => !order.includes(name));
  return [...order, ...others].flatMap((name) => (entries.has(name) ? [entries.get(name)] : []));
}

/** The parts of a mapping, or of a list whose items all have names of their own. */
function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isRecord(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value)) return undefined;
  const entries = new Map<string, unknown>();
  for (const item of value) {
    const name = nameOf(item);
    if (name === undefined || entries.has(name)) return undefined;
    entries.set(name, item);
  }
  return entries;
}

function nameOf(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  if (typeof item.column === 'string' && item.value !== undefined) return `${item.column} = ${item.value}`;
  for (const key of ['name', 'vendor_name', 'dialect', 'term', 'question']) {
    const name = item[key];
    if (typeof name === 'string') return name;
  }
  return undefined;
}

/** Equal as JSON is: the order of keys means nothing, what is undefined is absent. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isSame(own(a, key), own(b, key)));
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
