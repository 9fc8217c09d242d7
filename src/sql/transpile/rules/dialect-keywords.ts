import { ownTokens } from '../../print/own-words.ts';
import type { SqlNode, SqlTree } from '../../tree/node.ts';

/** The words of a node outside of its children, in upper case: `FROM` and `FOR` of `SUBSTRING(x FROM 2 FOR 3)`. */
export function ownWords(node: SqlNode, tree: SqlTree): readonly string[] {
  return ownTokens(tree, node, node.children).map(({ text }) => text.toUpperCase());
}
