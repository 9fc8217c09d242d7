/** Keys of expressions: equal for expressions that must give the same value. */
import type { SqlNode } from '../tree/node.ts';
import { CALL_KEYS, callKey } from './call-keys.ts';
import type { Keying, KeyRule } from './keying.ts';
import { genericKey, NAME_KEYS } from './name-keys.ts';
import { OPERATOR_KEYS } from './operator-keys.ts';

export function expressionKey(keying: Keying, node: SqlNode): string {
  const known = keying.keys[node.id];
  if (known !== undefined) return known;
  const rule = RULES.get(node.type) ?? (node.flags.call === undefined ? genericKey : callKey);
  const key = keying.fold(rule(keying, node));
  keying.keys[node.id] = key;
  return key;
}

const query: KeyRule = (keying, node) => {
  const inner = keying.readQuery(keying, node);
  keying.found.push(inner);
  return `(${inner.key})`;
};

const QUERIES = ['Select', 'Union', 'Intersect', 'Except', 'Values', 'Subquery'];

const RULES: ReadonlyMap<string, KeyRule> = new Map<string, KeyRule>([
  ...NAME_KEYS,
  ...OPERATOR_KEYS,
  ...CALL_KEYS,
  ...QUERIES.map((type) => [type, query] as const),
]);
