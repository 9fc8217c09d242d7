/** A whole tree back to text, in its own dialect. */
import { formatSql } from '../format-sql.ts';
import type { SqlTree } from '../tree/node.ts';
import { contextOf, printNode } from './print-node.ts';

export interface PrintOptions {
  /** One line, or one clause a line as `formatSql` lays them out. */
  readonly layout?: 'line' | 'lines';
}

/**
 * The statement as the nodes say it: keywords in capitals, names and literals as written, comments left out. What the
 * tree does not record stays as written. `select a from t -- x` gives `SELECT a FROM t`.
 */
export function printTree(tree: SqlTree, { layout = 'line' }: PrintOptions = {}): string {
  const text = printNode(tree.root, contextOf(tree.dialect, tree));
  return layout === 'line' ? text : formatSql(text, tree.dialect).text;
}
