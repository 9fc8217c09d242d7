/** What the printer needs of a node, so that it prints parsed nodes and nodes made by a program alike. */
import type { DialectName } from '../dialects/dialect.ts';
import type { Token } from '../dialects/lex-sql.ts';
import type { Grammar } from '../parser/reader/grammar.ts';
import type { Flags } from '../tree/node.ts';
import type { NodeType, Role } from '../tree/node-types.ts';
import type { Forms } from './dialect-forms.ts';

/** A `SqlNode` is one. In a node made by a program the value of a text literal is the text itself, without escapes. */
export interface PrintableNode {
  readonly type: NodeType;
  readonly role: Role;
  readonly children: readonly PrintableNode[];
  readonly value: string | undefined;
  readonly flags: Flags;
  /** Where it stands in the source; absent when a program made it. */
  readonly start?: number;
  readonly end?: number;
}

/** A piece of what a node prints: its own words, or a node below it. */
export type Part = string | PrintableNode;

/** The text a tree was parsed from, to find what the tree does not record. */
export interface Source {
  readonly text: string;
  readonly tokens: readonly Token[];
}

export interface PrintContext {
  readonly dialect: DialectName;
  readonly grammar: Grammar;
  readonly forms: Forms;
  /** Present when all nodes come from it. */
  readonly source: Source | undefined;
}

/** How one type of node is written. */
export type LayOut = (node: PrintableNode, context: PrintContext) => readonly Part[];

/** The first child in a role. */
export function childOf(node: PrintableNode, role: Role): PrintableNode | undefined {
  for (const candidate of node.children) if (candidate.role === role) return candidate;
  return undefined;
}

/** All children in a role. */
export function childrenOf(node: PrintableNode, role: Role): readonly PrintableNode[] {
  return node.children.filter((candidate) => candidate.role === role);
}

/** The child that a node of this type always has. */
export function requiredChild(node: PrintableNode, role: Role): PrintableNode {
  const found = childOf(node, role);
  if (found === undefined) throw new Error(`a ${node.type} without ${role} cannot be printed`);
  return found;
}

/** Nodes with a comma between them. */
export function listed(nodes: readonly PrintableNode[]): readonly Part[] {
  return nodes.flatMap((node, index) => (index === 0 ? [node] : [', ', node]));
}
