/** Queries with ORDER BY and LIMIT leave open which of equal rows they want; this asks what they do say. */
import { parse } from '../../src/sql/parser/parse.ts';
import { child, childrenIn, type SqlNode, type SqlTree, textOf } from '../../src/sql/tree/node.ts';

/** The query twice with its sort keys in the list: all rows, and as many as it wants. */
export interface KeyedQuery {
  readonly allRows: SqlTree;
  readonly limited: SqlTree;
  /** How many columns at the end are keys. */
  readonly keys: number;
}

/** `undefined` where the rows wanted do not depend on a LIMIT of the whole query. */
export function withSortKeys(tree: SqlTree): KeyedQuery | undefined {
  const { root } = tree;
  const order = child(root, 'order');
  const limit = child(root, 'limit');
  const list = childrenIn(root, 'expressions');
  const last = list.at(-1);
  const isPlain = root.type === 'Select' && child(root, 'distinct') === undefined;
  if (order === undefined || limit === undefined || last === undefined || !isPlain) return undefined;
  const keys = order.children.map((item) => keyText(child(item, 'this') ?? item, list, tree));
  const named = keys.map((key, index) => `, ${key} AS sort_key_${index}`).join('');
  const limited = tree.text.slice(0, last.end) + named + tree.text.slice(last.end);
  const at = limited.length - tree.text.length;
  const allRows = limited.slice(0, limit.start + at) + limited.slice(limit.end + at);
  const parsed = [parse(allRows, tree.dialect), parse(limited, tree.dialect)] as const;
  if (!parsed[0].ok || !parsed[1].ok) return undefined;
  return { allRows: parsed[0].tree, limited: parsed[1].tree, keys: keys.length };
}

/** A key that is the name or place of an item of the list stands for the item. */
function keyText(key: SqlNode, list: readonly SqlNode[], tree: SqlTree): string {
  const name =
    key.type === 'Column' && key.children.length === 1 ? key.children[0]?.value?.toLowerCase() : undefined;
  const place = key.type === 'Literal' ? list[Number(key.value) - 1] : undefined;
  const named = list.find(
    (item) => item.type === 'Alias' && child(item, 'alias')?.value?.toLowerCase() === name,
  );
  const item = place ?? named;
  return textOf(tree, item === undefined ? key : (child(item, 'this') ?? item));
}
