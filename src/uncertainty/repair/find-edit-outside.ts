/** Whether a repaired query differs from the one before in nothing but the parts that were to be repaired. */

import type { ReadQuery } from '../../faults/index.ts';
import { child, diff, type Edit, resolverFromScopes, type SqlNode, type SqlTree } from '../../sql/index.ts';
import { findRenamed } from './find-renamed.ts';
import { isAddedByNeed } from './is-added-by-need.ts';
import type { RepairOrder } from './repair-order.ts';

/**
 * The first edit outside the units of the order, in words; undefined when there is none. Within a unit all may change.
 * A removed part must be a unit itself or stand in one; an added part must stand in one. Beyond that
 * - a table that is a unit may only become another table, and its columns then columns of that one;
 * - a join may come in for a column that a changed unit newly needs (`isAddedByNeed`).
 * Spelling, layout, brackets, aliases of tables and the order of inner joins may always change: `diff` sees through them.
 * A name of the select list that is used elsewhere, or given to the same part, must stay.
 */
export function findEditOutside(before: ReadQuery, after: ReadQuery, order: RepairOrder): string | undefined {
  const allowed = allowedParts(before, order);
  const same: Same = { after, allowed, opposite: new Map() };
  if (isSameOutside(same, before.tree.root, after.tree.root)) return undefined;
  const resolve = (tree: SqlTree) => resolverFromScopes(tree === before.tree ? before.scopes : after.scopes);
  const difference = diff(before.tree, after.tree, { resolve });
  if (difference.kind === 'too-large') return `a query of ${difference.nodes} nodes is too large to compare`;
  // Where a name means nothing, or several things, nobody can say what else has changed.
  const doubtful = doubtfulName(before, allowed.parts) ?? doubtfulName(after, new Set());
  if (doubtful !== undefined) return `it is not clear what ${doubtful} means`;
  const renamed = findRenamed(before, after, difference.pairs);
  if (renamed !== undefined) return `the name ${renamed} of the select list stands for something else`;
  const opposite = new Map<SqlNode, SqlNode>();
  const partners = new Map<SqlNode, SqlNode>();
  for (const pair of difference.pairs) {
    partners.set(pair.after, pair.before);
    if (pair.isEqual) opposite.set(pair.before, pair.after);
  }
  const comparing = { ...same, opposite };
  return difference.edits.find((edit) => !isInside(edit, comparing, partners))?.message;
}

interface Allowed {
  /** Ids of nodes before the repair: those of units, with all below them. */
  readonly parts: ReadonlySet<number>;
  /** Columns of tables that are units. */
  readonly columns: ReadonlySet<number>;
  /** Tables that are there without any repair. */
  readonly tables: ReadonlySet<string>;
}

function allowedParts({ tree, scopes }: ReadQuery, { units }: RepairOrder): Allowed {
  const anchors = new Set(units.map(({ anchor }) => anchor));
  const parts = new Set<number>();
  // Parents come before their children.
  for (const { id, parent } of tree.nodes)
    if (anchors.has(id) || (parent !== undefined && parts.has(parent.id))) parts.add(id);
  const columns = new Set<number>();
  for (const { id } of tree.nodes) {
    const reference = scopes.references[id];
    const hasSource = reference?.kind === 'column' || reference?.kind === 'open';
    const source = hasSource ? reference.source : undefined;
    if (source !== undefined && anchors.has(source.node.id)) columns.add(id);
  }
  const tables = new Set(scopes.sources.flatMap((source) => source?.table?.id ?? []));
  return { parts, columns, tables };
}

interface Same {
  readonly after: ReadQuery;
  readonly allowed: Allowed;
  /** Parts that say the same, where a comparison has found them. */
  readonly opposite: ReadonlyMap<SqlNode, SqlNode>;
}

/** Equal node for node but for allowed parts. */
function isSameOutside(same: Same, one: SqlNode, other: SqlNode): boolean {
  const [before, after] = [withoutBrackets(one), withoutBrackets(other)];
  if (same.opposite.get(before) === after) return true;
  if (same.allowed.parts.has(before.id)) return before.type !== 'Table' || after.type === 'Table';
  if (same.allowed.columns.has(before.id) && isColumnOfNewTable(same, after)) return true;
  return (
    before.type === after.type &&
    before.role === after.role &&
    spelledValue(before) === spelledValue(after) &&
    flagsOf(before) === flagsOf(after) &&
    before.children.length === after.children.length &&
    before.children.every((part, index) => isSameOutside(same, part, after.children[index]!))
  );
}

function withoutBrackets(node: SqlNode): SqlNode {
  let at = node;
  while (at.type === 'Paren') {
    const inner = child(at, 'this');
    if (inner === undefined) return at;
    at = inner;
  }
  return at;
}

function isColumnOfNewTable({ after, allowed }: Same, column: SqlNode): boolean {
  const reference = after.scopes.references[column.id];
  const table = reference?.kind === 'column' ? reference.source.table?.id : undefined;
  return column.type === 'Column' && table !== undefined && !allowed.tables.has(table);
}

/** Names and words in any case, literals as they are. */
function spelledValue({ type, value }: SqlNode): string | undefined {
  return type === 'Literal' ? value : value?.toLowerCase();
}

function flagsOf({ type, flags }: SqlNode): string {
  const { quoted, ...others } = flags;
  return JSON.stringify(type === 'Identifier' ? others : flags);
}

function doubtfulName({ tree, scopes }: ReadQuery, except: ReadonlySet<number>): string | undefined {
  for (const { id } of tree.nodes) {
    const reference = scopes.references[id];
    const isDoubtful = reference?.kind === 'unknown' || reference?.kind === 'ambiguous';
    if (isDoubtful && !except.has(id)) return reference.name;
  }
  return undefined;
}

function isInside(edit: Edit, same: Same, partners: ReadonlyMap<SqlNode, SqlNode>): boolean {
  const { parts } = same.allowed;
  switch (edit.kind) {
    case 'removed':
    case 'moved':
      return parts.has(withoutName(edit.before).id);
    case 'added':
      return standsInUnit(edit.after, parts, partners) || isAddedByNeed(edit.after, same.after);
    case 'changed': {
      const part = withoutName(edit.before);
      if (parts.has(part.id)) return part.type !== 'Table' || edit.after.type === 'Table';
      return edit.clause === 'from'
        ? isOtherTable(edit.before, edit.after, parts)
        : isSameOutside(same, edit.before, edit.after);
    }
  }
}

/** The part of the select list behind its name. */
function withoutName(node: SqlNode): SqlNode {
  const bare = withoutBrackets(node);
  return bare.type === 'Alias' ? withoutBrackets(child(bare, 'this') ?? bare) : bare;
}

/** Whether what is around a new part was there before, and in a unit. */
function standsInUnit(
  node: SqlNode,
  parts: ReadonlySet<number>,
  partners: ReadonlyMap<SqlNode, SqlNode>,
): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    const partner = partners.get(at);
    if (partner !== undefined) return parts.has(partner.id);
  }
  return false;
}

/** The same join with another table; its condition is compared by itself. */
function isOtherTable(before: SqlNode, after: SqlNode, parts: ReadonlySet<number>): boolean {
  const [table, other] = [child(before, 'this'), child(after, 'this')];
  if (before.type !== 'Join' || after.type !== 'Join' || table === undefined) return false;
  return parts.has(table.id) && other?.type === 'Table' && flagsOf(before) === flagsOf(after);
}
