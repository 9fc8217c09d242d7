/** Tree to canonical form. */
import { NAME_RULES } from '../scope/name-rules.ts';
import type { SqlTree } from '../tree/node.ts';
import { expressionKey } from './expression-key.ts';
import type { Keying } from './keying.ts';
import { openNames, type Source } from './names.ts';
import type { NormalForm } from './normal-form.ts';
import type { NormalOptions } from './normal-options.ts';
import { readQuery } from './read-query.ts';

/**
 * The canonical form of a statement. Equal keys mean equal queries, as far as that shows without running them:
 * `SELECT T1.a FROM t AS T1 WHERE T1.b > 1` and `select A from T where 1.0 < b` have one key.
 */
export function normalise(tree: SqlTree, options: NormalOptions = {}): NormalForm {
  return normaliseWith(tree, options, (key) => key).form;
}

export interface Keyed {
  readonly form: NormalForm;
  /** Keys of expressions by node id. */
  readonly keys: readonly (string | undefined)[];
  /** The entries of FROM that columns belong to, by node id. */
  readonly owners: readonly (Source | undefined)[];
}

/** The same with all keys of expressions, each shortened by `fold`. */
export function normaliseWith(tree: SqlTree, options: NormalOptions, fold: (key: string) => string): Keyed {
  const keying: Keying = {
    tree,
    rules: NAME_RULES[tree.dialect],
    options,
    resolver: options.resolve?.(tree),
    fold,
    keys: new Array(tree.nodes.length),
    owners: new Array(tree.nodes.length),
    cache: { columnNames: undefined },
    readQuery,
    keyOf: expressionKey,
    names: openNames(undefined),
    clause: 'select',
    ctes: new Map(),
    found: [],
  };
  const query = readQuery(keying, tree.root);
  return { form: { tree, key: query.key, query }, keys: keying.keys, owners: keying.owners };
}
