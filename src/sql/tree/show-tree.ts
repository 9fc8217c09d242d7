import type { SqlNode } from './node.ts';

/** A tree in one line: `Select(expressions:Column(this:Identifier=a) from:From(this:Table(this:Identifier=t)))`. */
export function showTree(node: SqlNode): string {
  const value = node.value === undefined ? '' : `=${node.value}`;
  const flags = Object.entries(node.flags).map(([name, mark]) =>
    mark === 'true' ? name : `${name}=${mark}`,
  );
  const marks = flags.length > 0 ? `[${flags.join(' ')}]` : '';
  const below = node.children.map((child) => `${child.role}:${showTree(child)}`);
  return `${node.type}${value}${marks}${below.length > 0 ? `(${below.join(' ')})` : ''}`;
}
