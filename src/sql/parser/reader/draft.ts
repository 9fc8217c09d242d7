/** Nodes while the tree is being built; `finishTree` gives them ids and parents and freezes them. */
import type { Flags, SqlNode } from '../../tree/node.ts';
import type { NodeType, Role } from '../../tree/node-types.ts';

/** A node under construction: the same object that later is the frozen `SqlNode`. */
export interface Draft {
  id: number;
  type: NodeType;
  role: Role;
  parent: Draft | undefined;
  children: Draft[];
  start: number;
  end: number;
  value: string | undefined;
  flags: Flags;
}

export const NO_FLAGS: Flags = Object.freeze({});
const NO_CHILDREN: readonly SqlNode[] = Object.freeze([]);

/** Puts a node into a slot of its future parent. */
export function as(role: Role, node: Draft): Draft {
  node.role = role;
  return node;
}

/** All nodes of each into one slot. */
export function allAs(role: Role, nodes: readonly Draft[]): readonly Draft[] {
  for (const node of nodes) node.role = role;
  return nodes;
}

/** Numbers the nodes in preorder, sets parents and freezes; `undefined` when the tree is deeper than allowed. */
export function finishTree(root: Draft, maximumDepth: number): readonly SqlNode[] | undefined {
  const nodes: Draft[] = [];
  const open: Draft[] = [root];
  const depths: number[] = [0];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const depth = depths.pop() ?? 0;
    if (depth > maximumDepth) return undefined;
    node.id = nodes.length;
    nodes.push(node);
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const below = node.children[index] as Draft;
      below.parent = node;
      open.push(below);
      depths.push(depth + 1);
    }
  }
  for (const node of nodes) {
    if (node.children.length === 0) node.children = NO_CHILDREN as Draft[];
    else Object.freeze(node.children);
    Object.freeze(node);
  }
  return Object.freeze(nodes);
}
