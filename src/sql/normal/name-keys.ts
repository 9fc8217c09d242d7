/** Keys of names, literals and of whatever has no rule of its own. */

import type { Clause } from '../scope/state/name-rules.ts';
import { child, type SqlNode } from '../tree/node.ts';
import { type FoundSource, findOwner, findSource, type Source, sourceAt } from './names.ts';
import type { Keying, KeyRule } from './scalar-keys.ts';
import { identifierKey, literalKey, textKey, typeName, unreadKey } from './scalar-keys.ts';

/** Its type, what it says, and its children in the order of the text. */
export function genericKey(keying: Keying, node: SqlNode): string {
  const value = node.value === undefined ? '' : `=${node.value}`;
  return `${node.type.toLowerCase()}${value}(${childKeys(keying, node.children)})${flagsKey(node)}`;
}

/** The key of the child in a role; empty when there is none. */
export function keyIn(keying: Keying, node: SqlNode, role: SqlNode['role']): string {
  const below = child(node, role);
  return below === undefined ? '' : keying.keyOf(keying, below);
}

const PLAIN_ROLES: ReadonlySet<string> = new Set(['this', 'expression', 'expressions']);

export function childKeys(keying: Keying, children: readonly SqlNode[]): string {
  return children
    .map((below) => {
      const key = keying.keyOf(keying, below);
      return PLAIN_ROLES.has(below.role) ? key : `${below.role}: ${key}`;
    })
    .join(', ');
}

/** Marks that only tell how something was spelled. */
const SPELLINGS: ReadonlySet<string> = new Set(['quoted', 'call', 'string']);

export function flagsKey({ flags }: SqlNode): string {
  let key = '';
  for (const name in flags) {
    if (!SPELLINGS.has(name)) key += ` ${name}=${flags[name as keyof typeof flags]?.toLowerCase()}`;
  }
  return key;
}

const column: KeyRule = (keying, node) => {
  const isStar = child(node, 'this')?.type === 'Star';
  return isStar ? starOwner(keying, node) + keyIn(keying, node, 'this') : columnKey(keying, node);
};

const star: KeyRule = (keying, node) => {
  const changes = childKeys(keying, node.children);
  return changes === '' ? '*' : `* (${changes})`;
};

const alias: KeyRule = (keying, node) =>
  keying.options.keepsAliases === true
    ? `${keyIn(keying, node, 'this')} as ${keyIn(keying, node, 'alias')}`
    : keyIn(keying, node, 'this');

/** SQLite takes no notice of a length behind a type. */
const dataType: KeyRule = (keying, node) => {
  const { dialect } = keying.tree;
  const inside = dialect === 'sqlite' ? '' : childKeys(keying, node.children);
  const name = typeName(node.value ?? '', dialect).toLowerCase();
  return inside === '' ? name : `${name}(${inside})`;
};

const word: KeyRule = (_keying, { value }) => (value ?? '').toLowerCase();

export const NAME_KEYS: readonly (readonly [type: string, rule: KeyRule])[] = [
  ['Column', column],
  ['Star', star],
  ['Identifier', (_keying, { value }) => identifierKey(value ?? '')],
  ['Alias', alias],
  ['DataType', dataType],
  ['Literal', (_keying, node) => literalKey(node)],
  ['Null', () => 'null'],
  ['Boolean', word],
  ['Var', word],
  ['TableColumns', unreadKey],
  ['Command', unreadKey],
];

// The key of a column: its owner's label and its name, whatever alias the query gives the owner.

/** Longer keys of an inner expression are not repeated in each place that names it. */
const MAX_INNER_KEY = 200;

function columnKey(keying: Keying, node: SqlNode): string {
  const last = child(node, 'this');
  const qualifier = child(node, 'table')?.value?.toLowerCase();
  const name = (last?.value ?? '').toLowerCase();
  const meaning = keying.resolver?.(node);
  const isText =
    meaning === undefined
      ? keying.resolver === undefined && isQuotedText(keying, node)
      : meaning.kind === 'text';
  if (isText) return textKey(last?.value ?? '');
  const owner = meaning?.kind === 'source' ? sourceAt(keying.names, meaning.node) : undefined;
  if (owner !== undefined) return ownedKey(keying, node, owner);
  if (qualifier === undefined) return bareKey(keying, node, name);
  const found = findSource(keying.names, qualifier);
  return found === undefined
    ? `${identifierKey(qualifier)}.${identifierKey(name)}`
    : ownedKey(keying, node, found);
}

/** What stands before a star: nothing where the qualifier names all there is. */
function starOwner({ names }: Keying, node: SqlNode): string {
  const qualifier = child(node, 'table')?.value?.toLowerCase();
  if (qualifier === undefined) return '';
  const found = findSource(names, qualifier);
  if (found === undefined) return `${identifierKey(qualifier)}.`;
  return found.distance === 0 && names.sources.length === 1 ? '' : `${labelOf(found)}.`;
}

function ownedKey(keying: Keying, node: SqlNode, found: FoundSource): string {
  const name = child(node, 'this')?.value?.toLowerCase() ?? '';
  keying.owners[node.id] = found.source;
  return `${labelOf(found)}.${outputKey(found.source, name)}`;
}

/** A name of an outer query is not the same name further in. */
function labelOf({ source, distance }: FoundSource): string {
  return '^'.repeat(distance) + source.label;
}

/** What a derived table shows under a name is known by its expression, so that the name itself says nothing. */
function outputKey({ outputs }: Source, name: string): string {
  const inner = outputs?.keys.get(name);
  if (outputs === undefined || inner === undefined) return identifierKey(name);
  return inner.length <= MAX_INNER_KEY ? `{${inner}}` : `{#${[...outputs.keys.keys()].indexOf(name) + 1}}`;
}

function bareKey(keying: Keying, node: SqlNode, name: string): string {
  const { names } = keying;
  const item = names.items.get(name);
  if (item !== undefined && meansItem(keying, node, item.node)) return item.key;
  const owner = findOwner(names, name);
  return owner === undefined ? identifierKey(name) : ownedKey(keying, node, owner);
}

/**
 * Whether a bare name means the item of that name, by the dialect's rules. Without a schema a column of the same name
 * is known to exist only where the item itself uses one.
 */
function meansItem({ rules, clause }: Keying, node: SqlNode, item: SqlNode): boolean {
  const { bare, inside } = rules.aliases[clause];
  const use = isWholeTerm(node, clause) ? bare : inside;
  if (use === 'never') return false;
  return use === 'before-columns' || !usesColumn(item, child(node, 'this')?.value);
}

const TERMS: Readonly<Partial<Record<Clause, string>>> = {
  group: 'Group',
  order: 'Ordered',
  outputs: 'Ordered',
};

function isWholeTerm(node: SqlNode, clause: Clause): boolean {
  return node.parent?.type === TERMS[clause];
}

function usesColumn(item: SqlNode, name: string | undefined): boolean {
  if (item.type === 'Column') return child(item, 'this')?.value?.toLowerCase() === name?.toLowerCase();
  return item.children.some((below) => usesColumn(below, name));
}

// Whether a name in double quotes is a text, in dialects where it may be one.

/**
 * SQLite takes `"x"` for a text where no column has that name. Without a schema its place tells: a value compared with
 * a column is a text, unless the statement uses the same name as a column elsewhere.
 */
function isQuotedText(keying: Pick<Keying, 'rules' | 'tree' | 'cache'>, node: SqlNode): boolean {
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
