/** The constants of a statement: they are what may be personal, and what differs from run to run. */
import {
  childrenIn,
  parse,
  patchText,
  type SqlNode,
  type SqlTree,
  significantTokens,
} from '../../../sql/index.ts';

/** Stands for a constant; a text parses wherever a constant may stand. */
export const CONSTANT_SIGN = "'?'";

/** Nodes whose numbers say what the query does: columns by place, digits of a type, the size of a sample. */
const KEPT_IN: ReadonlySet<string> = new Set([
  'Group',
  'Ordered',
  'DataTypeParam',
  'DataType',
  'TableSample',
]);
const CONSTANTS: ReadonlySet<string> = new Set(['Literal', 'Placeholder', 'HexString', 'BitString']);

/** Literals and placeholders, but for those that are part of what the query does. */
export function constantsOf(tree: SqlTree): readonly SqlNode[] {
  return tree.nodes.filter(({ type, parent }) => CONSTANTS.has(type) && !KEPT_IN.has(parent?.type ?? ''));
}

/** The text with a sign in the place of every constant and of every list of them. */
export function withoutConstants(tree: SqlTree): string {
  const patches = new Map<number, { readonly span: SqlNode; readonly text: string }>();
  for (const constant of constantsOf(tree)) {
    const span = wholeConstant(constant);
    patches.set(span.start, { span, text: CONSTANT_SIGN });
  }
  for (const node of tree.nodes) {
    if (node.type !== 'In') continue;
    const list = childrenIn(node, 'expressions');
    const [first] = list;
    const last = list.at(-1);
    if (first === undefined || last === undefined || !list.every(isConstant)) continue;
    for (const item of list) patches.delete(item.start);
    patches.set(first.start, { span: { ...first, end: last.end }, text: CONSTANT_SIGN });
  }
  return patchText(tree.text, [...patches.values()]);
}

/** A text in which `$1` and its like have become constants, for the places where the grammar wants one. */
export function withoutPlaceholders(text: string, tokens: SqlTree['tokens']): string {
  const patches = significantTokens(tokens)
    .filter(({ kind, text: word }) => kind === 'parameter' && !word.startsWith('@'))
    .map((span) => ({ span, text: CONSTANT_SIGN }));
  return patchText(text, patches);
}

/** The tree of a text without constants, or the tree itself where that does not parse. */
export function shapeOf(tree: SqlTree): SqlTree {
  const parsed = parse(withoutConstants(tree), tree.dialect);
  return parsed.ok ? parsed.tree : tree;
}

/** A minus sign belongs to its number: engines see one constant. */
function wholeConstant(node: SqlNode): SqlNode {
  const { parent } = node;
  return parent?.type === 'Neg' && node.flags.string === undefined ? parent : node;
}

function isConstant(node: SqlNode): boolean {
  return CONSTANTS.has(node.type) || (node.type === 'Neg' && CONSTANTS.has(node.children[0]?.type ?? ''));
}
