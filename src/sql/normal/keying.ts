/** What the rules of the canonical form share while they go over one tree. */
import type { Clause, NameRules } from '../scope/state/name-rules.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';
import type { Names, Outputs, Source } from './names.ts';
import type { NameResolver, NormalOptions, NormalQuery, Part } from './normal-form.ts';
import { operandsOf } from './query-nodes.ts';

export interface Keying {
  readonly tree: SqlTree;
  readonly rules: NameRules;
  readonly options: NormalOptions;
  readonly resolver: NameResolver | undefined;
  /** Makes a short name of a long key, where keys are only compared and never shown. */
  readonly fold: (key: string) => string;
  /** Keys by node id, as far as they have been made. */
  readonly keys: (string | undefined)[];
  /** The entries of FROM that columns belong to, by node id, as far as they are known. */
  readonly owners: (Source | undefined)[];
  readonly cache: { columnNames: ReadonlySet<string> | undefined };
  /** Handed in, since expressions hold queries and queries expressions. */
  readonly readQuery: (keying: Keying, node: SqlNode) => NormalQuery;
  /** The key of an expression inside another. */
  readonly keyOf: (keying: Keying, node: SqlNode) => string;
  /** The names that hold here. */
  readonly names: Names;
  readonly clause: Clause;
  readonly ctes: ReadonlyMap<string, CteName>;
  /** Queries met in expressions of the query at hand. */
  readonly found: NormalQuery[];
}

/** Makes the keys of one type of node. */
export type KeyRule = (keying: Keying, node: SqlNode) => string;

export interface CteName {
  readonly label: string;
  readonly outputs: Outputs | undefined;
}

const MAX_PLAIN_KEY = 24;

/** A long key becomes a number, the same for the same key, so that keys of deep trees do not grow with their depth. */
export function internedKeys(): (key: string) => string {
  const numbers = new Map<string, string>();
  return (key) => {
    if (key.length <= MAX_PLAIN_KEY) return key;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = `#${numbers.size}`;
    numbers.set(key, number);
    return number;
  };
}

/** A condition as the list of those that must all hold. */
export function conjuncts(keying: Keying, condition: SqlNode): readonly Part[] {
  return operandsOf(condition, 'And').map((node) => ({ key: keying.keyOf(keying, node), node }));
}
