/** Writes a template of the target dialect, its parts filled with translated nodes. */
import type { DialectName } from '../../dialects/dialect.ts';
import { signOf } from '../../print/operators.ts';
import { contextOf } from '../../print/print-tree.ts';
import type { PrintableNode, PrintContext } from '../../print/printable.ts';
import type { SqlNode } from '../../tree/node.ts';
import { templateTree } from '../phrases/phrase.ts';
import { allAs, as, build, textNode } from './built-node.ts';
import { partName } from './match-phrase.ts';

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
