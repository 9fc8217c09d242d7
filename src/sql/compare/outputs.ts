/** What a query shows to the outside. */
import { childrenIn, type SqlNode } from '../tree/node.ts';
import { isStar } from './is-star.ts';
import type { NormalQuery } from './normal-form.ts';

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
