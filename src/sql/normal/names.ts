/** The names that hold inside one query, from its FROM alone. */
import { childrenIn, type SqlNode } from '../tree/node.ts';
import type { NormalQuery } from './normal-form.ts';
import { isStar } from './query-nodes.ts';

export interface Names {
  /** The names of the query around. */
  readonly outer: Names | undefined;
  /** In the order of FROM. */
  readonly sources: Source[];
  /** Keys of items by the name they are given. */
  readonly items: Map<string, NamedItem>;
}

export interface NamedItem {
  readonly key: string;
  readonly node: SqlNode;
}

export interface Source {
  readonly node: SqlNode;
  /** What a qualifier calls it, in lower case. */
  readonly name: string | undefined;
  /** The table's name; `$1` for a CTE, `$q` for a derived table: what its query says counts, not its name. */
  readonly base: string;
  /** The query of a derived table. */
  readonly query: NormalQuery | undefined;
  /** The base, with a number where a base comes twice: `t`, `t#2`. */
  label: string;
  /** Another source of the query has the same base. */
  isShared: boolean;
  /** What a derived table or CTE shows. */
  readonly outputs: Outputs | undefined;
  /** Only inner joins stand between it and the first. */
  readonly isInner: boolean;
}

export function openNames(outer: Names | undefined): Names {
  return { outer, sources: [], items: new Map() };
}

export interface FoundSource {
  readonly source: Source;
  /** How many queries further out it stands. */
  readonly distance: number;
}

/** The source a qualifier means, looking outward; the last part of a dotted qualifier counts. */
export function findSource(names: Names, qualifier: string): FoundSource | undefined {
  let distance = 0;
  for (let at: Names | undefined = names; at !== undefined; at = at.outer) {
    const source = at.sources.find(({ name }) => name === qualifier);
    if (source !== undefined) return { source, distance };
    distance += 1;
  }
  return undefined;
}

/** The source whose node this is. */
export function sourceAt(names: Names, node: SqlNode): FoundSource | undefined {
  let distance = 0;
  for (let at: Names | undefined = names; at !== undefined; at = at.outer) {
    const source = at.sources.find((candidate) => candidate.node === node);
    if (source !== undefined) return { source, distance };
    distance += 1;
  }
  return undefined;
}

/**
 * The source a bare name belongs to as far as the tree tells: the one that is known to show it, else the only one that
 * may. A query whose sources are all known not to show it leaves it to the query around.
 */
export function findOwner(names: Names, column: string): FoundSource | undefined {
  let distance = 0;
  for (let at: Names | undefined = names; at !== undefined; at = at.outer) {
    const { sources } = at;
    const showing = sources.filter(({ outputs }) => outputs?.keys.has(column));
    const possible = showing.length > 0 ? showing : sources.filter(mayShow);
    const [only] = possible;
    if (only !== undefined) return possible.length === 1 ? { source: only, distance } : undefined;
    distance += 1;
  }
  return undefined;
}

function mayShow({ outputs }: Source): boolean {
  return outputs === undefined || !outputs.isClosed;
}

// What a query shows to the outside.

/** What a query shows to the outside: for each name the key of the expression behind it. */
export interface Outputs {
  readonly keys: ReadonlyMap<string, string>;
  /** There is no star that may show more. */
  readonly isClosed: boolean;
}

export function outputsOf(query: NormalQuery): Outputs {
  if (query.kind === 'set') {
    const [first] = query.branches;
    return first === undefined ? OPEN : outputsOf(first);
  }
  if (query.kind === 'other') return OPEN;
  const keys = new Map<string, string>();
  let isClosed = true;
  query.items.forEach(({ name, key, node }, index) => {
    if (isStar(node)) isClosed = false;
    // An item without a name keeps its place, which a list of column names may fill.
    keys.set(name ?? `#${index}`, key);
  });
  return { keys, isClosed };
}

const OPEN: Outputs = { keys: new Map(), isClosed: false };

/** The outputs under the names of `AS x (a, b)`. */
export function renamed(outputs: Outputs, alias: SqlNode | undefined): Outputs {
  const columns = alias === undefined ? [] : childrenIn(alias, 'columns');
  if (columns.length === 0) return outputs;
  const old = [...outputs.keys];
  const keys = new Map<string, string>();
  columns.forEach((column, index) => {
    const name = (column.value ?? column.children[0]?.value ?? '').toLowerCase();
    keys.set(name, old[index]?.[1] ?? `#${index}`);
  });
  return { keys, isClosed: outputs.isClosed };
}
