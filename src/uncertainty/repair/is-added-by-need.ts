import type { ReadQuery } from '../../faults/index.ts';
import { childrenIn, type SqlNode, walk } from '../../sql/index.ts';

/**
 * Whether a new part of a repaired query is a join that something else in it needs: a plain or left join with one table
 * of the schema, by nothing but equalities between a column of that table and one of another, and with a column used
 * outside the join. Other parts that use it are edits themselves, so they stand in units or are joins by need.
 */
export function isAddedByNeed(join: SqlNode, query: ReadQuery): boolean {
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
