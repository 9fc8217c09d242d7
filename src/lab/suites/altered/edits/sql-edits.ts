/** Finding and changing parts of a query's text by its tree. */

import { quoteText } from '../../../../sql/dialects/index.ts';
import { type Patch, patchText } from '../../../../sql/rewrite/index.ts';
import { child, type SqlNode, type SqlTree, textOf } from '../../../../sql/tree/index.ts';

export function nodesOf(tree: SqlTree, ...types: readonly string[]): readonly SqlNode[] {
  return tree.nodes.filter(({ type }) => types.includes(type));
}

/** The text of a tree with other texts at some of its nodes. */
export function withPatches(tree: SqlTree, patches: readonly Patch[]): string {
  return patchText(tree.text, patches);
}

export function withText(tree: SqlTree, { start, end }: SqlNode, text: string): string {
  return withPatches(tree, [{ span: { start, end }, text }]);
}

/** The one number of that value; undefined where there is none, or more than one. */
export function onlyNumber(tree: SqlTree, value: number): SqlNode | undefined {
  const found = nodesOf(tree, 'Literal').filter(
    (node) => node.flags.string === undefined && Number(node.value) === value,
  );
  return found.length === 1 ? found[0] : undefined;
}

/** The one text of that content, whatever its case. */
export function onlyText(tree: SqlTree, content: string): SqlNode | undefined {
  const found = tree.nodes.filter((node) => writtenText(node)?.toLowerCase() === content.toLowerCase());
  return found.length === 1 ? found[0] : undefined;
}

/** What a text says, also one in double quotes, which SQLite reads as a text where there is no such column. */
export function writtenText({ type, flags, value, children }: SqlNode): string | undefined {
  if (type === 'Literal') return flags.string === undefined ? undefined : value;
  const [name, ...others] = children;
  const isQuoted = type === 'Column' && others.length === 0 && name?.flags.quoted === '"';
  return isQuoted ? name.value : undefined;
}

export function isText(node: SqlNode): boolean {
  return node.type === 'Literal' && writtenText(node) !== undefined;
}

export function quotedText(tree: SqlTree, content: string): string {
  return quoteText(content, tree.dialect);
}

const TURNED: Readonly<Record<string, string>> = {
  GT: '<',
  LT: '>',
  GTE: '<=',
  LTE: '>=',
  EQ: '<>',
  NEQ: '=',
};

/** The query with another sign between the sides of a comparison: `>` ↔ `<`, `=` ↔ `<>`. */
export function withTurnedSign(tree: SqlTree, node: SqlNode): string | undefined {
  const [left, right] = [child(node, 'this'), child(node, 'expression')];
  const sign = TURNED[node.type];
  if (left === undefined || right === undefined || sign === undefined) return undefined;
  return withPatches(tree, [{ span: { start: left.end, end: right.start }, text: ` ${sign} ` }]);
}

/** The query with the first of the words in a node's own text replaced, outside of its children. */
export function withWord(tree: SqlTree, node: SqlNode, word: RegExp, text: string): string | undefined {
  const own = textOf(tree, node);
  for (const match of own.matchAll(new RegExp(word, 'gi'))) {
    const span = { start: node.start + match.index, end: node.start + match.index + match[0].length };
    if (isInLeaf(node, span.start)) continue;
    return withPatches(tree, [{ span, text }]);
  }
  return undefined;
}

function isInLeaf(node: SqlNode, at: number): boolean {
  const inside = node.children.find(({ start, end }) => start <= at && at < end);
  return inside !== undefined && (inside.children.length === 0 || isInLeaf(inside, at));
}
