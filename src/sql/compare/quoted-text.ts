/** Whether a name in double quotes is a text, in dialects where it may be one. */
import { child, type SqlNode } from '../tree/node.ts';
import type { Keying } from './keying.ts';

/**
 * SQLite takes `"x"` for a text where no column has that name. Without a schema its place tells: a value compared with
 * a column is a text, unless the statement uses the same name as a column elsewhere.
 */
export function isQuotedText(keying: Pick<Keying, 'rules' | 'tree' | 'cache'>, node: SqlNode): boolean {
  if (!keying.rules.quotedMayBeText || !isDoubleQuoted(node)) return false;
  const name = child(node, 'this')?.value ?? '';
  if (!/^[\p{L}\p{N}_]/u.test(name)) return true;
  return standsAsValue(node) && !otherNames(keying).has(name.toLowerCase());
}

function isDoubleQuoted({ type, children }: SqlNode): boolean {
  return type === 'Column' && children.length === 1 && children[0]?.flags.quoted === '"';
}

const COMPARISONS: ReadonlySet<string> = new Set([
  'EQ',
  'NEQ',
  'GT',
  'GTE',
  'LT',
  'LTE',
  'Is',
  'NullSafeEQ',
  'NullSafeNEQ',
]);
const PATTERNS: ReadonlySet<string> = new Set(['Like', 'ILike', 'Glob', 'RegexpLike']);
const CONSTANTS: ReadonlySet<string> = new Set(['Literal', 'Null', 'Boolean']);

function standsAsValue(node: SqlNode): boolean {
  let at = node;
  while (at.parent?.type === 'Paren') at = at.parent;
  const { parent, role } = at;
  if (parent === undefined) return false;
  if (parent.type === 'In') return role === 'expressions';
  if (parent.type === 'Between') return role !== 'this';
  if (PATTERNS.has(parent.type)) return role === 'expression';
  if (!COMPARISONS.has(parent.type)) return false;
  const other = parent.children.find((candidate) => candidate !== at);
  if (other === undefined || CONSTANTS.has(other.type)) return false;
  return isDoubleQuoted(other) ? role === 'expression' : true;
}

/** Names of columns that are qualified or written in other quotes or none, in lower case; made when first asked for. */
function otherNames({ tree, cache }: Pick<Keying, 'tree' | 'cache'>): ReadonlySet<string> {
  if (cache.columnNames !== undefined) return cache.columnNames;
  const names = new Set<string>();
  for (const node of tree.nodes) {
    if (node.type !== 'Column' || isDoubleQuoted(node)) continue;
    names.add(child(node, 'this')?.value?.toLowerCase() ?? '');
  }
  cache.columnNames = names;
  return names;
}
