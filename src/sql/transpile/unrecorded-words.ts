/** Words of the source that the tree keeps no trace of and that weigh something. */
import { unprintedWords } from '../print/own-words.ts';
import { contextOf, nodesOf, partsOf } from '../print/print-node.ts';
import type { PrintableNode } from '../print/printable.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';

/** Read by a rule, or without meaning for the result. */
const LIGHT_WORDS: Readonly<Record<string, string>> = {
  GroupConcat: 'SEPARATOR',
  StrPosition: 'IN',
  Substring: 'FROM FOR',
  Values: 'ROW',
  Array: 'ARRAY',
  Star: 'EXCEPT EXCLUDE',
  From: 'TABLE',
  Kwarg: ':=',
  Cast: 'USING',
  Limit: '%',
  DataType: '< >',
  Select: `STRAIGHT_JOIN HIGH_PRIORITY SQL_SMALL_RESULT SQL_BIG_RESULT SQL_BUFFER_RESULT SQL_NO_CACHE SQL_CACHE
    SQL_CALC_FOUND_ROWS`,
};

/** Hints to the optimiser about indexes, and sets of characters in a cast. */
const LIGHT_WHEN_THERE: ReadonlySet<string> = new Set(['INDEX', 'INDEXED', 'KEY', 'CHARSET', 'CHARACTER']);

/** By node; a node without such words is not in the map. */
export function findUnrecorded(tree: SqlTree): ReadonlyMap<SqlNode, readonly string[]> {
  const context = contextOf(tree.dialect, tree);
  const found = new Map<SqlNode, readonly string[]>();
  const open: PrintableNode[] = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const parts = partsOf(node, context);
    const words = weighty(node.type, unprintedWords(node, parts, context));
    // Every node of a parsed tree is a SqlNode; the printer only asks for less.
    if (words.length > 0) found.set(node as SqlNode, words);
    open.push(...nodesOf(parts));
  }
  return found;
}

function weighty(type: string, words: readonly string[]): readonly string[] {
  if (words.some((word) => LIGHT_WHEN_THERE.has(word))) return [];
  const light = new Set((LIGHT_WORDS[type] ?? '').split(/\s+/));
  return words.filter((word) => !light.has(word));
}
