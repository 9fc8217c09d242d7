/** Keys of names, literals and of whatever has no rule of its own. */
import { child, type SqlNode } from '../tree/node.ts';
import { columnKey, starOwner } from './column-key.ts';
import { identifierKey } from './identifier-key.ts';
import type { Keying, KeyRule } from './keying.ts';
import { literalKey } from './literal-key.ts';
import { typeName } from './type-name.ts';
import { unreadKey } from './unread-key.ts';

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
