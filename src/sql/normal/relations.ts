/** FROM as a list: every relation with the join that brings it in. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';

export interface Relation {
  /** The Table, Subquery, Unnest, … */
  readonly node: SqlNode;
  /** What a reader would point at: the Join, or the relation itself where it comes first. */
  readonly place: SqlNode;
  /** `inner` for the first, for commas and CROSS JOIN; `left`, `full`, `natural`, `semi`; `left/inner` in brackets. */
  readonly join: string;
  readonly on: readonly SqlNode[];
  readonly using: readonly SqlNode[];
}

/** The relations of a Select in the order of the text; brackets that only group inner joins are opened. */
export function relations(select: SqlNode): readonly Relation[] {
  const list: Relation[] = [];
  const from = child(select, 'from');
  const first = from && child(from, 'this');
  if (first === undefined) return list;
  add(list, { relation: first, place: first, join: undefined, prefix: '' });
  for (const join of childrenIn(select, 'joins')) addJoin(list, join, '');
  return list;
}

function addJoin(list: Relation[], join: SqlNode, prefix: string): void {
  const relation = child(join, 'this');
  if (relation !== undefined) add(list, { relation, place: join, join, prefix });
}

interface Entry {
  readonly relation: SqlNode;
  readonly place: SqlNode;
  readonly join: SqlNode | undefined;
  /** The outer join in whose brackets it stands: `left/`. */
  readonly prefix: string;
}

function add(list: Relation[], { relation, place, join, prefix }: Entry): void {
  const group = bracketedRelation(relation);
  const type = prefix + (join === undefined ? 'inner' : joinType(join));
  const inside = type === 'inner' ? '' : `${type}/`;
  if (group !== undefined) add(list, { relation: group, place, join, prefix });
  else list.push({ node: relation, place, join: type, ...conditionsOf(join) });
  for (const inner of childrenIn(relation, 'joins')) addJoin(list, inner, inside);
}

function conditionsOf(join: SqlNode | undefined): Pick<Relation, 'on' | 'using'> {
  if (join === undefined) return { on: [], using: [] };
  const on = [...childrenIn(join, 'on'), ...childrenIn(join, 'match_condition')];
  return { on, using: childrenIn(join, 'using') };
}

const QUERIES: ReadonlySet<string> = new Set([
  'Select',
  'Union',
  'Intersect',
  'Except',
  'Values',
  'Subquery',
  'Pivot',
  'Command',
]);

/** The first relation in brackets around joins, `(a JOIN b …)`; brackets around a query have none. */
function bracketedRelation(relation: SqlNode): SqlNode | undefined {
  if (relation.type !== 'Subquery' || child(relation, 'alias') !== undefined) return undefined;
  const inner = child(relation, 'this');
  if (inner === undefined) return undefined;
  const isQuery = QUERIES.has(inner.type) && (inner.type !== 'Subquery' || isBare(inner));
  return isQuery ? undefined : inner;
}

/** A Subquery that is no entry of FROM of its own. */
function isBare(subquery: SqlNode): boolean {
  return subquery.children.every(({ role }) => role !== 'alias' && role !== 'joins');
}

const PLAIN_KINDS: ReadonlySet<string> = new Set(['INNER', 'OUTER', 'CROSS', 'STRAIGHT']);

function joinType({ flags }: SqlNode): string {
  const kind = flags.kind === undefined || PLAIN_KINDS.has(flags.kind) ? undefined : flags.kind;
  const words = [flags.method, flags.side, kind].filter((word) => word !== undefined);
  return words.length === 0 ? 'inner' : words.join(' ').toLowerCase();
}
