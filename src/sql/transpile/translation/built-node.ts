/** Nodes made by a program, for the printer: no place in any source. */

import type { DialectName } from '../../dialects/dialect.ts';
import { signOf } from '../../print/operators.ts';
import { contextOf } from '../../print/print-tree.ts';
import type { PrintableNode, PrintContext } from '../../print/printable.ts';
import type { Flags, SqlNode } from '../../tree/node.ts';
import type { NodeType, Role } from '../../tree/node-types.ts';
import { templateTree } from '../phrases/phrase.ts';
import { partName } from './match-phrase.ts';
import type { Translation } from './translation.ts';

const NO_FLAGS: Flags = Object.freeze({});

export interface BuiltParts {
  readonly value?: string | undefined;
  readonly flags?: Flags;
}

/** `build('Paren', [as('this', x)])`; its own role is set by `as`. */
export function build(
  type: NodeType,
  children: readonly PrintableNode[] = [],
  { value, flags = NO_FLAGS }: BuiltParts = {},
): PrintableNode {
  return { type, role: 'root', children, value, flags };
}

/** The same node in another slot. */
export function as(role: Role, node: PrintableNode): PrintableNode {
  return node.role === role ? node : { ...node, role };
}

export function allAs(role: Role, nodes: readonly PrintableNode[]): readonly PrintableNode[] {
  return nodes.map((node) => as(role, node));
}

/** A text literal; `value` is the text itself. */
export function textNode(value: string): PrintableNode {
  return build('Literal', [], { value, flags: { string: 'true' } });
}

export function numberNode(value: string): PrintableNode {
  return build('Literal', [], { value });
}

export function nameNode(value: string, quoted?: string): PrintableNode {
  return build('Identifier', [], { value, flags: quoted === undefined ? NO_FLAGS : { quoted } });
}

/** A word that is printed as it stands: a unit of time, `*` of a path. */
export function wordNode(value: string): PrintableNode {
  return build('Var', [], { value });
}

export function callNode(
  name: string,
  values: readonly PrintableNode[],
  type: NodeType = 'Anonymous',
): PrintableNode {
  return build(type, allAs('expressions', values), { value: name, flags: { call: 'true' } });
}

/** A binary operator; the printer adds brackets where its operands need them. */
export function operatorNode(type: NodeType, left: PrintableNode, right: PrintableNode): PrintableNode {
  return build(type, [as('this', left), as('expression', right)]);
}

/** `CAST(value AS type)`, or the call of another name that gives NULL where CAST fails. */
export function castNode(value: PrintableNode, type: string, tryName?: string): PrintableNode {
  const parts = [as('this', value), as('to', build('DataType', [], { value: type }))];
  if (tryName === undefined) return build('Cast', parts);
  return build('TryCast', parts, { value: tryName, flags: { call: 'true' } });
}

/** `CASE WHEN condition THEN value ELSE otherwise END`. */
export function caseNode(
  branches: readonly (readonly [condition: PrintableNode, value: PrintableNode])[],
  otherwise?: PrintableNode,
): PrintableNode {
  const ifs = branches.map(([condition, value]) =>
    as('ifs', build('If', [as('this', condition), as('true', value)])),
  );
  return build('Case', [...ifs, ...(otherwise === undefined ? [] : [as('default', otherwise)])]);
}

/** The node as it is, with its children translated. */
export function copy(node: SqlNode, { translate }: Translation): PrintableNode {
  return as(node.role, build(node.type, node.children.map(translate), node));
}

// Writes a template of the target dialect, its parts filled with translated nodes.

/** What fills the parts of a template. */
export interface Filling {
  /** Nodes for a part; `isCast` where the template itself turns the part into a type. */
  readonly nodes: (part: string, isCast: boolean) => readonly PrintableNode[];
  readonly text: (part: string) => string | undefined;
  /** ORDER BY and the like inside the call. */
  readonly extras: readonly PrintableNode[];
}

/** The template's tree with every part replaced: `fillTemplate('STRPOS(_a, _b)', 'duckdb', filling)`. */
export function fillTemplate(template: string, dialect: DialectName, filling: Filling): PrintableNode {
  const { tree, root } = templateTree(template, dialect);
  const [only] = fill(root, { ...filling, context: contextOf(dialect, tree) }, false);
  if (only === undefined) throw new Error(`the phrase ${template} is nothing but _rest`);
  return filling.extras.length === 0 ? only : build(only.type, [...only.children, ...filling.extras], only);
}

/** A template filled with nodes by name: `say('CAST(_time AS DATE)', 'duckdb', { _time: node })`. */
export function say(
  template: string,
  dialect: DialectName,
  nodes: Readonly<Record<string, PrintableNode>>,
): PrintableNode {
  return fillTemplate(template, dialect, {
    nodes: (part) => (nodes[part] === undefined ? [] : [nodes[part]]),
    text: () => undefined,
    extras: [],
  });
}

interface FillingInContext extends Filling {
  readonly context: PrintContext;
}

function fill(template: SqlNode, filling: FillingInContext, isCast: boolean): readonly PrintableNode[] {
  const part = partName(template);
  if (part !== undefined) {
    const text = filling.text(part);
    if (text !== undefined) return [as(template.role, textNode(text))];
    return allAs(template.role, filling.nodes(part, isCast));
  }
  const { type, value, role } = template;
  const sign = signOf(template, filling.context);
  // Of operators with several signs, as `->>` and `#>>`, the template's is the one that is meant.
  const flags = sign === undefined ? template.flags : { ...template.flags, operator: sign };
  const children = template.children.flatMap((child) => fill(child, filling, type === 'Cast'));
  return [as(role, build(type, children, { value, flags }))];
}
