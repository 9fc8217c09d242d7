/** The constants of a statement: they are what may be personal, and what differs from run to run. */

import type { Column } from '../../../catalog/index.ts';
import { significantTokens } from '../../../sql/dialects/index.ts';
import { parse, type Scopes } from '../../../sql/index.ts';
import { patchText } from '../../../sql/rewrite/index.ts';
import { childrenIn, type SqlNode, type SqlTree } from '../../../sql/tree/index.ts';

/** Stands for a constant; a text parses wherever a constant may stand. */
const CONSTANT_SIGN = "'?'";

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
function constantsOf(tree: SqlTree): readonly SqlNode[] {
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

// Whether a statement holds a constant that may be about a person.

/** Looks personal whatever it is compared with: an address of mail, or the digits of a telephone, a card, an account. */
const PERSONAL_TEXT = /[^\s@'"%]@[^\s@'"%]+\.[a-z]{2}|\d(?:[ ./()-]*\d){8}/i;
/** Nine digits and more that are a time. */
const TIME = /^\d{4}-\d\d-\d\d(?:[ T][\d:.]+(?:Z|[+-][\d:]+)?)?$/;
/** Conditions end here: what stands on the other side of an AND says nothing about a constant. */
const CONDITION_ENDS: ReadonlySet<string> = new Set(['And', 'Or', 'Where', 'Join', 'Having', 'Qualify']);

/**
 * True where a constant stands in one condition with a column that holds what is personal, or where it is not certain
 * that none does: the column was never profiled, or the constant stands in no condition of a query with such columns.
 */
export function hasPersonalConstant(resolved: Scopes, isPersonal: (columnId: string) => boolean): boolean {
  const constants = constantsOf(resolved.tree).filter(({ type }) => type !== 'Placeholder');
  if (constants.length === 0) return false;
  if (constants.some(({ value = '' }) => PERSONAL_TEXT.test(value) && !TIME.test(value))) return true;
  const personal = resolved.tree.nodes.filter(({ id }) => touches(resolved, id, isPersonal));
  if (personal.length === 0) return false;
  const conditions = new Set(personal.map(conditionOf));
  return constants.some((constant) => {
    if (isRowCount(constant)) return false;
    const condition = conditionOf(constant);
    return condition === undefined || conditions.has(condition);
  });
}

/** Of a column that nobody looked at nothing is certain. */
export function isPersonalColumn({ profile }: Pick<Column, 'profile'>): boolean {
  if (profile === undefined) return true;
  return profile.pii !== undefined && (profile.pii.isWithheld || profile.pii.kind === 'person-name');
}

function touches({ references }: Scopes, id: number, isPersonal: (columnId: string) => boolean): boolean {
  const lineage = references[id]?.lineage;
  if (lineage === undefined || references[id]?.kind === 'star') return false;
  return (
    lineage.physical.some((column) => isPersonal(column.id)) || lineage.from.some(({ id }) => isPersonal(id))
  );
}

/** The outermost node around a name or constant that is one condition; undefined outside of conditions. */
function conditionOf(node: SqlNode): SqlNode | undefined {
  let at = node;
  while (at.parent !== undefined) {
    if (CONDITION_ENDS.has(at.parent.type)) return at;
    // What a subquery shows may be compared outside of it.
    if (at.role === 'expressions' && at.parent.type === 'Select') return undefined;
    at = at.parent;
  }
  return undefined;
}

function isRowCount({ parent }: SqlNode): boolean {
  return parent?.type === 'Limit' || parent?.type === 'Offset' || parent?.type === 'Fetch';
}
