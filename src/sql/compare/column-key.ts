/** The key of a column: its owner's label and its name, whatever alias the query gives the owner. */
import type { Clause } from '../scope/name-rules.ts';
import { child, type SqlNode } from '../tree/node.ts';
import { identifierKey } from './identifier-key.ts';
import type { Keying } from './keying.ts';
import { textKey } from './literal-key.ts';
import { type FoundSource, findOwner, findSource, type Source, sourceAt } from './names.ts';
import { isQuotedText } from './quoted-text.ts';

/** Longer keys of an inner expression are not repeated in each place that names it. */
const MAX_INNER_KEY = 200;

export function columnKey(keying: Keying, node: SqlNode): string {
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
export function starOwner({ names }: Keying, node: SqlNode): string {
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
