/** The parts of a query that a person can point at and change: columns, tables, literals, conditions, joins, … */
import type { ReadQuery } from '../../faults/reading/index.ts';
import type { Span } from '../../sql/dialects/span.ts';
import { child, type SqlNode, type SqlTree } from '../../sql/tree/index.ts';
import type { UnitKind } from './node-risk.ts';

export interface Unit {
  readonly kind: UnitKind;
  /** Id of the node it begins with; that node and all below it change when the unit is replaced. */
  readonly anchor: number;
  /** What is marked. Of clauses and queries only their words, of a CTE or derived table its name. */
  readonly span: Span;
  readonly text: string;
  /** Ids of the nodes it stands for, ascending. Those of units inside it are theirs. */
  readonly nodes: readonly number[];
  /** The smallest unit around it, by its place in the list. */
  readonly parent: number | undefined;
  /** No unit stands inside it. */
  readonly isLeaf: boolean;
  /** It is a SELECT, a set operation or a whole statement: too much to be replaced as one part. */
  readonly isQuery: boolean;
}

/**
 * The units of a query, those around before those inside; every node belongs to exactly one. A unit may stand inside another,
 * as the column `a` in the condition `a = 1`; two that do not nest have disjoint spans. Time in proportion to the nodes.
 */
export function unitsOf(query: ReadQuery): readonly Unit[] {
  const { tree } = query;
  const kinds = tree.nodes.map((node) => anchorKind(node, query));
  const owners = ownersOf(tree, kinds);
  const places = new Map<number, number>();
  for (const [id, kind] of kinds.entries()) if (kind !== undefined) places.set(id, places.size);
  const nodes = Array.from(places, (): number[] => []);
  for (const [id, owner] of owners.entries()) nodes[places.get(owner)!]!.push(id);
  const parents = [...places.keys()].map((anchor) => parentOf(tree.nodes[anchor]!, places));
  const inner = new Set(parents);
  return [...places].map(([anchor, place]) => {
    const node = tree.nodes[anchor]!;
    const span = markedSpan(tree, node);
    return {
      kind: kinds[anchor] ?? 'clause',
      anchor,
      span,
      text: tree.text.slice(span.start, span.end),
      nodes: nodes[place]!,
      parent: parents[place],
      isLeaf: !inner.has(place),
      isQuery: isQuery(node),
    };
  });
}

/** By node id: the anchor of its unit. A wrapper stands with what it holds, all else with what is above. */
function ownersOf({ nodes }: SqlTree, kinds: readonly (UnitKind | undefined)[]): readonly number[] {
  const below = new Int32Array(nodes.length).fill(-1);
  for (let id = nodes.length - 1; id >= 0; id -= 1) {
    const node = nodes[id]!;
    if (kinds[id] !== undefined) below[id] = id;
    else if (isWrapper(node)) below[id] = below[child(node, 'this')?.id ?? -1] ?? -1;
  }
  const owners: number[] = [];
  for (const { id, parent } of nodes) owners.push(below[id]! >= 0 ? below[id]! : owners[parent?.id ?? 0]!);
  return owners;
}

function parentOf({ parent }: SqlNode, places: ReadonlyMap<number, number>): number | undefined {
  for (let above = parent; above !== undefined; above = above.parent) {
    const place = places.get(above.id);
    if (place !== undefined) return place;
  }
  return undefined;
}

function markedSpan(tree: SqlTree, node: SqlNode): Span {
  const alias = isMarkedByName(node) ? child(node, 'alias') : undefined;
  const name = alias && (child(alias, 'this') ?? alias);
  if (name !== undefined) return { start: name.start, end: name.end };
  return (isMarkedByWords(node) && ownWords(tree, node)) || { start: node.start, end: node.end };
}

/** The first words of a node that belong to none of its parts: `SELECT`, `ORDER BY`, `UNION ALL`. */
function ownWords({ tokens }: SqlTree, { children, start, end }: SqlNode): Span | undefined {
  let words: Span | undefined;
  let at = 0;
  for (let index = firstTokenAt(tokens, start); index < tokens.length; index += 1) {
    const token = tokens[index]!;
    if (token.start >= end) break;
    if (token.kind === 'space' || token.kind === 'comment') continue;
    while ((children[at]?.end ?? end) <= token.start) at += 1;
    const isOfPart = token.start >= (children[at]?.start ?? end);
    if (isOfPart && words !== undefined) break;
    if (!isOfPart) words = { start: words?.start ?? token.start, end: token.end };
  }
  return words;
}

/** Tokens stand in order: the first one that begins at or behind an offset, by halving. */
function firstTokenAt(tokens: SqlTree['tokens'], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (tokens[middle]!.start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Which nodes of a tree begin a unit, and which stand with a unit above or below them.

const QUERIES = ['Select', 'Union', 'Intersect', 'Except', 'Values', 'Command'];
const WORDED = ['Distinct', 'Where', 'Having', 'Qualify', 'Connect', 'Order', 'With', 'Pivot'];
/** Words around a call: `SUM(a) OVER (…)`. */
const CALL_FRAMES = ['Window', 'Filter', 'WithinGroup', 'IgnoreNulls', 'RespectNulls'];

/** Node types that begin a unit wherever they stand, but for the exceptions below; calls begin one whatever their type. */
const ANCHORS: Readonly<Record<UnitKind, readonly string[]>> = {
  column: ['Column', 'Star', 'Dot'],
  table: ['Table', 'Unnest', 'Lateral', 'TableFromRows', 'CTE', 'Subquery'],
  literal: ['Literal', 'Boolean', 'Null', 'HexString', 'BitString', 'Placeholder', 'Parameter', 'Interval'],
  condition: [
    ...['And', 'Or', 'Xor', 'Not', 'EQ', 'NEQ', 'GT', 'GTE', 'LT', 'LTE', 'NullSafeEQ', 'NullSafeNEQ'],
    ...['Is', 'Like', 'ILike', 'Glob', 'SimilarTo', 'RegexpLike', 'RegexpILike', 'Escape', 'Between', 'In'],
    'Exists',
  ],
  join: ['Join'],
  // Computed values of every sort.
  function: [
    ...['Case', 'If', 'Cast', 'TryCast', 'Extract', 'AtTimeZone', 'Bracket', 'Array', 'Struct', 'Map'],
    ...['Comprehension', 'JSONExtract', 'JSONExtractScalar', 'Collate', 'Operator', 'UnaryOperator'],
    ...['Add', 'Sub', 'Mul', 'Div', 'IntDiv', 'Mod', 'Pow', 'DPipe', 'Neg', 'Pos', 'BitwiseNot'],
    ...['BitwiseAnd', 'BitwiseOr', 'BitwiseXor', 'BitwiseLeftShift', 'BitwiseRightShift', ...CALL_FRAMES],
  ],
  order: ['Ordered'],
  limit: ['Limit', 'Offset', 'Fetch'],
  group: ['Group'],
  clause: [...QUERIES, ...WORDED, 'Into', 'Lock'],
};

const KINDS: ReadonlyMap<string, UnitKind> = new Map(
  (Object.keys(ANCHORS) as UnitKind[]).flatMap((kind) => ANCHORS[kind].map((type) => [type, kind] as const)),
);

/** The kind of unit a node begins; undefined: it belongs to another one's. */
function anchorKind(node: SqlNode, { scopes }: ReadQuery): UnitKind | undefined {
  if (node.parent === undefined) return kindOf(node) ?? 'clause';
  if (isWrapper(node) || isPartOf(node, node.parent) || isKeyAgain(node)) return undefined;
  const meaning = scopes.references[node.id]?.kind;
  if (meaning === 'text' && node.type === 'Column') return 'literal';
  return meaning === 'unit' ? undefined : kindOf(node);
}

/** Names that are columns without a Column around them: `USING (id)`, `* EXCEPT (a)`. */
const BARE_COLUMNS: ReadonlySet<string> = new Set(['using', 'except']);

function kindOf(node: SqlNode): UnitKind | undefined {
  const { type, role, flags } = node;
  if (flags.call !== undefined) return 'function';
  if (type === 'Identifier') return BARE_COLUMNS.has(role) ? 'column' : undefined;
  const isNumber = (type === 'Neg' || type === 'Pos') && child(node, 'this')?.type === 'Literal';
  return isNumber ? 'literal' : KINDS.get(type);
}

/** Whether a node says nothing of its own and stands with what it holds: brackets, `… AS name`. */
function isWrapper(node: SqlNode): boolean {
  const { type } = node;
  if (type === 'Subquery') return child(node, 'alias') === undefined;
  return type === 'Paren' || type === 'Alias' || type === 'Aliases';
}

const CONDITIONS: ReadonlySet<string> = new Set(ANCHORS.condition);
const FRAMES: ReadonlySet<string> = new Set(CALL_FRAMES);

/** A part that a person sees as one with the node above: the numbers of LIMIT, `x IN (…)` below NOT, `*` of COUNT. */
function isPartOf(node: SqlNode, parent: SqlNode): boolean {
  const { type, role, flags } = node;
  if (FRAMES.has(parent.type)) return role === 'this' && flags.call !== undefined;
  if (flags.call !== undefined) return false;
  if (parent.type === 'Not' || parent.type === 'Escape') return role === 'this' && CONDITIONS.has(type);
  return isLinkOfChain(node, parent) || PARTS[type]?.has(parent.type) === true;
}

const CHAINS: ReadonlySet<string> = new Set(['And', 'Or', 'Add', 'Mul', 'DPipe']);
const LISTING: ReadonlySet<string> = new Set(['Where', 'Having', 'Qualify', 'Join']);

/** `a OR b OR c` is one chain; an AND right below WHERE only lists its conditions. */
function isLinkOfChain({ type }: SqlNode, parent: SqlNode): boolean {
  if (!CHAINS.has(type)) return false;
  let above: SqlNode | undefined = parent;
  while (above?.type === 'Paren') above = above.parent;
  if (above === undefined) return false;
  return (
    (above.type === type && above.flags.call === undefined) || (type === 'And' && LISTING.has(above.type))
  );
}

const PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  Literal: new Set([
    ...['Ordered', 'Group', 'Limit', 'Offset', 'Fetch', 'Interval', 'Neg', 'Pos'],
    ...['DataTypeParam', 'TableSample', 'Version', 'JSONPath'],
  ]),
  Null: new Set(['Is']),
  Boolean: new Set(['Is']),
  Star: new Set(['Column', 'Count', 'Anonymous']),
  If: new Set(['Case']),
};

/** A key of AGGREGATE in a pipe, which is written once: it is shown, and what groups by it stands with GROUP BY. */
function isKeyAgain(node: SqlNode): boolean {
  let above = node.parent;
  while (above !== undefined && above.type !== 'Group' && !isQuery(above)) above = above.parent;
  return above !== undefined && isPipedGroup(above);
}

/** The keys stand among what is shown, behind GROUP BY. */
function isPipedGroup({ type, start, parent }: SqlNode): boolean {
  if (type !== 'Group' || parent === undefined) return false;
  return parent.children.some((other) => other.role === 'expressions' && other.start >= start);
}

const ALL_QUERIES: ReadonlySet<string> = new Set(QUERIES);
const ALL_WORDED: ReadonlySet<string> = new Set([...QUERIES, ...WORDED]);

/** A query or a whole statement: every part of it has a unit of its own. */
function isQuery({ type }: SqlNode): boolean {
  return ALL_QUERIES.has(type);
}

/** Of these only the words are marked, `WHERE`, `ORDER BY`; what they hold has units of its own. */
function isMarkedByWords(node: SqlNode): boolean {
  return ALL_WORDED.has(node.type) || isPipedGroup(node);
}

/** Of these only the name is marked; what it names is a query with units of its own. */
function isMarkedByName({ type }: SqlNode): boolean {
  return type === 'CTE' || type === 'Subquery';
}
