/** Whether a repaired query may take the place of the one before. */
import type { QueryRead, ReadQuery } from '../../faults/reading/index.ts';
import type { Edit, NodePair } from '../../sql/compare/index.ts';
import { checkReadOnly, diff } from '../../sql/index.ts';
import { resolverFromScopes } from '../../sql/normal/index.ts';
import { child, childrenIn, type SqlNode, type SqlTree, walk } from '../../sql/tree/index.ts';
import type { Assessment } from '../units/node-risk.ts';
import type { RepairOrder } from './repair-order.ts';

export interface RepairCheck {
  readonly before: ReadQuery;
  readonly after: QueryRead;
  readonly order: RepairOrder;
  readonly assessmentBefore: Assessment;
  readonly assessmentAfter: Assessment;
  /** All other checks (names, EXPLAIN, access) passed on the repaired query. */
  readonly checksOk: boolean;
}

export type RepairRefusal =
  | 'does not parse'
  | 'not read-only'
  | 'unchanged'
  | 'edit outside the units'
  | 'checks failed'
  | 'risk not lower';

export type RepairVerdict =
  | { readonly isAccepted: true /** By how much the query risk fell. */; readonly fall: number }
  | {
      readonly isAccepted: false;
      readonly because: RepairRefusal /** A clause for people. */;
      readonly detail: string;
    };

/** The query risk must fall by so much at least; overview.md §6. */
export const LEAST_FALL = 0.05;
/** 0.5 to 0.45 is a fall of 0.05, whatever the bits of a double say. */
const ROUNDING = 1e-9;

/** Accepts a repair that parses, only reads, changes nothing but the units of the order, passes the checks and lowers the risk. */
export function checkRepair(check: RepairCheck): RepairVerdict {
  const { before, after, order, checksOk } = check;
  if (!after.ok) {
    const place =
      after.error === undefined ? '' : ` (line ${after.error.line}, column ${after.error.column})`;
    return refused('does not parse', `the repaired query ${after.because}${place}`);
  }
  const verdict = checkReadOnly(after.query.tree);
  if (!verdict.readOnly) return refused('not read-only', verdict.reason);
  if (after.query.tree.text.trim() === before.tree.text.trim())
    return refused('unchanged', 'the repaired query is the same text');
  const outside = findEditOutside(before, after.query, order);
  if (outside !== undefined) return refused('edit outside the units', outside);
  if (!checksOk) return refused('checks failed', 'a check of the repaired query failed');
  return byRisk(check);
}

function byRisk({ assessmentBefore, assessmentAfter }: RepairCheck): RepairVerdict {
  const fall = assessmentBefore.queryRisk - assessmentAfter.queryRisk;
  if (assessmentAfter.unreadBecause === undefined && fall >= LEAST_FALL - ROUNDING)
    return { isAccepted: true, fall };
  const [from, to] = [assessmentBefore.queryRisk.toFixed(2), assessmentAfter.queryRisk.toFixed(2)];
  return refused('risk not lower', `the risk was ${from} and is ${to}; it must fall by ${LEAST_FALL}`);
}

function refused(because: RepairRefusal, detail: string): RepairVerdict {
  return { isAccepted: false, because, detail };
}

// Whether a repaired query differs from the one before in nothing but the parts that were to be repaired.

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

/**
 * A name of a select list that a repair gave to something else, which `diff` does not tell: a part has another name than
 * before, or a name that ORDER BY and the like go by was taken away or is new. Undefined where names are as they were.
 */
function findRenamed(before: ReadQuery, after: ReadQuery, pairs: readonly NodePair[]): string | undefined {
  const paired = new Set<SqlNode>();
  for (const pair of pairs) {
    if (pair.before.type !== 'Alias' || pair.after.type !== 'Alias') continue;
    paired.add(pair.before).add(pair.after);
    if (nameOf(pair.before) !== nameOf(pair.after)) return nameOf(pair.before);
  }
  return findUsed(before, paired) ?? findUsed(after, paired);
}

/** A name that is used and stands with nothing opposite. */
function findUsed({ tree, scopes }: ReadQuery, paired: ReadonlySet<SqlNode>): string | undefined {
  const used = new Set<string | undefined>();
  for (const node of tree.nodes)
    if (scopes.references[node.id]?.kind === 'alias') used.add(node.children.at(-1)?.value?.toLowerCase());
  const lone = tree.nodes.find(
    (node) => node.type === 'Alias' && !paired.has(node) && used.has(nameOf(node)),
  );
  return lone && nameOf(lone);
}

function nameOf(alias: SqlNode): string | undefined {
  return child(alias, 'alias')?.value?.toLowerCase();
}

/**
 * Whether a new part of a repaired query is a join that something else in it needs: a plain or left join with one table
 * of the schema, by nothing but equalities between a column of that table and one of another, and with a column used
 * outside the join. Other parts that use it are edits themselves, so they stand in units or are joins by need.
 */
function isAddedByNeed(join: SqlNode, query: ReadQuery): boolean {
  if (join.type !== 'Join' || !isPlainJoin(join)) return false;
  const table = join.children.find(({ role }) => role === 'this');
  if (table?.type !== 'Table' || query.scopes.sources[table.id]?.table === undefined) return false;
  if (table.children.some(({ role }) => role !== 'this' && role !== 'alias' && role !== 'db')) return false;
  const using = childrenIn(join, 'using');
  const conditions = childrenIn(join, 'on').flatMap(conjuncts);
  if (using.length + conditions.length === 0) return false;
  return conditions.every((one) => isKeyEquality(one, table, query)) && isUsedOutside(join, table, query);
}

function isPlainJoin({ flags: { kind, side, method, comma } }: SqlNode): boolean {
  const isInner = kind === undefined || kind === 'INNER';
  const isLeft = side === 'LEFT' && (kind === undefined || kind === 'OUTER');
  return method === undefined && comma === undefined && ((isInner && side === undefined) || isLeft);
}

function conjuncts(condition: SqlNode): readonly SqlNode[] {
  const isList = condition.type === 'And' || condition.type === 'Paren';
  return isList ? condition.children.flatMap(conjuncts) : [condition];
}

function isKeyEquality({ type, children }: SqlNode, table: SqlNode, query: ReadQuery): boolean {
  const sources = children.map((side) => sourceNode(side, query));
  const isOfTable = sources.map((source) => source === table);
  return (
    type === 'EQ' && !sources.includes(undefined) && isOfTable.includes(true) && isOfTable.includes(false)
  );
}

function sourceNode({ id, type }: SqlNode, { scopes }: ReadQuery): SqlNode | undefined {
  const reference = scopes.references[id];
  return type === 'Column' && reference?.kind === 'column' ? reference.source.node : undefined;
}

function isUsedOutside(join: SqlNode, table: SqlNode, query: ReadQuery): boolean {
  const inside = new Set(walk(join));
  return query.tree.nodes.some((node) => !inside.has(node) && sourceNode(node, query) === table);
}
