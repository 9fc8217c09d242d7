import { child, type SqlNode, walk } from '../tree/node.ts';
import type { Side } from './comparing.ts';

const MAX_TEXT = 80;

/** The text of a node for people: in one line, cut when long, with names of tables for aliases that stand for them. */
export function spokenText({ tree, owners }: Side, node: SqlNode): string {
  let text = '';
  let at = node.start;
  for (const column of walk(node)) {
    const qualifier = column.type === 'Column' ? child(column, 'table') : undefined;
    const owner = owners[column.id];
    const name = owner?.node.type === 'Table' && !owner.isShared ? child(owner.node, 'this') : undefined;
    if (qualifier === undefined || name?.type !== 'Identifier') continue;
    text += tree.text.slice(at, qualifier.start) + tree.text.slice(name.start, name.end);
    at = qualifier.end;
  }
  return shorten(text + tree.text.slice(at, node.end));
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1)}…`;
}
