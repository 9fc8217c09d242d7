import type { DialectName } from '../dialects/dialect.ts';
import type { Span } from '../dialects/span.ts';
import { scopes } from '../scope/scopes.ts';
import type { NamedSchema } from '../scope/state/schema-index.ts';
import type { Scopes } from '../scope/state/scope.ts';
import { type SqlNode, type SqlTree, textOf } from '../tree/node.ts';
import { unresolvedName } from './rewrite-result.ts';

/** One place where a physical table is read: in FROM, or behind IN as SQLite allows (`x IN t`). */
export interface TablePlace {
  readonly kind: 'from' | 'in';
  /** The Table node, or the name behind IN. */
  readonly node: SqlNode;
  /** Canonical id of the table. */
  readonly tableId: string;
  /** The name alone, with its schema, without alias and the rest. */
  readonly nameSpan: Span;
  /** What columns call it, as written. */
  readonly called: string;
  /** Where that stands, with its quotes. */
  readonly calledSpan: Span;
  readonly hasAlias: boolean;
  /** What stands for the table in a query of its own: ONLY, the name, and what must be read before any condition. */
  readonly written: string;
  /** The table's name with ONLY, where the query takes its place. */
  readonly span: Span;
  /** Behind the name, what moved into `written` or says nothing about a subquery. */
  readonly dropped: readonly Span[];
  /** A pivot behind the table makes a source of its own of it. */
  readonly isTurned: boolean;
}

export type TablePlaces =
  | { readonly ok: true; readonly places: readonly TablePlace[]; readonly resolved: Scopes }
  | { readonly ok: false; readonly reason: string; readonly span: Span };

/** Children of a Table that leave no room for a subquery in its place. */
const STUCK_ROLES: ReadonlySet<string> = new Set(['version', 'ordinality']);

/**
 * Where a sample of a table goes when a query takes its place: `outside` a sample of what is shown, where the engine
 * draws from subqueries; `inside` of the table, where each row is drawn by itself, so that the rows that are left out
 * have no say. Elsewhere the engine draws blocks of stored rows, and how full they are would tell of hidden ones.
 */
const SAMPLES: Readonly<Partial<Record<DialectName, 'inside' | 'outside'>>> = {
  duckdb: 'outside',
  trino: 'outside',
  snowflake: 'outside',
  postgres: 'inside',
};

/**
 * Every place where one of the tables is read, CTEs of the same name left out. Refuses when a name of the query means
 * nothing, since a table might then hide where nobody looks.
 */
export function findTablePlaces(
  tree: SqlTree,
  tableIds: ReadonlySet<string>,
  schema: NamedSchema,
): TablePlaces {
  const unresolved = unresolvedName(tree, schema);
  if (unresolved !== undefined) {
    return {
      ok: false,
      reason: `${unresolved} has no meaning, so no place of a table is certain`,
      span: tree.root,
    };
  }
  const resolved = scopes(tree, schema);
  const places: TablePlace[] = [];
  for (const node of tree.nodes) {
    const table = resolved.sources[node.id]?.table;
    if (table === undefined || !tableIds.has(table.id)) continue;
    const stuck = node.children.find((part) => isStuck(part, tree.dialect));
    const kind = node.type === 'Table' ? 'from' : node.role === 'field' ? 'in' : undefined;
    if (stuck !== undefined || kind === undefined) {
      const reason = `${table.name} is read with ${stuck?.type ?? node.type}, which cannot be rewritten`;
      return { ok: false, reason, span: stuck ?? node };
    }
    places.push(placeOf(tree, kind, { node, tableId: table.id }));
  }
  const isOther = ({ id }: SqlNode): boolean => {
    const table = resolved.sources[id]?.table;
    return table !== undefined && !tableIds.has(table.id);
  };
  const blocks = places.length === 0 ? undefined : findBlockSample(tree, isOther);
  if (blocks === undefined) return { ok: true, places, resolved };
  const reason = 'a sample by blocks tells of rows that are hidden; BERNOULLI draws row by row';
  return { ok: false, reason, span: blocks };
}

function isStuck(part: SqlNode, dialect: DialectName): boolean {
  if (part.role !== 'sample') return STUCK_ROLES.has(part.role);
  const seed = part.children.find(({ role }) => role === 'seed');
  if (seed !== undefined && seed.type !== 'Literal') return true;
  if (dialect === 'postgres') return part.value !== 'BERNOULLI';
  return SAMPLES[dialect] === undefined;
}

/**
 * A sample that keeps or drops what the engine reads at a time: through a filter, how many rows come together tells how
 * many were taken out. DuckDB draws a share so unless told otherwise, of subqueries as well.
 */
function findBlockSample(tree: SqlTree, isOther: (source: SqlNode) => boolean): SqlNode | undefined {
  return tree.nodes.find((node) => {
    if (node.role !== 'sample' || (node.parent?.type === 'Table' && isOther(node.parent))) return false;
    if (node.value === 'SYSTEM' || node.value === 'BLOCK') return true;
    if (tree.dialect !== 'duckdb' || node.value !== undefined) return false;
    const text = textOf(tree, node);
    return /%|percent/i.test(text) && !/bernoulli|reservoir/i.test(text);
  });
}

function placeOf(
  { text, dialect }: SqlTree,
  kind: TablePlace['kind'],
  { node, tableId }: Pick<TablePlace, 'node' | 'tableId'>,
): TablePlace {
  const names = node.children.filter(({ type }) => type === 'Identifier');
  const last = names.at(-1);
  const alias = node.children
    .find(({ role }) => role === 'alias')
    ?.children.find(({ role }) => role === 'this');
  const nameSpan = { start: names[0]?.start ?? node.start, end: last?.end ?? node.end };
  const called = alias ?? last;
  const span = node.flags.kind === 'ONLY' ? onlySpan(node, nameSpan, text) : nameSpan;
  const isMoved = ({ role, flags }: SqlNode): boolean =>
    role === 'hints' ? flags.kind === 'PARTITION' : role === 'sample' && SAMPLES[dialect] === 'inside';
  const moved = node.children.filter(isMoved);
  return {
    kind,
    node,
    tableId,
    nameSpan,
    called: called?.value ?? '',
    calledSpan: called ?? node,
    hasAlias: alias !== undefined,
    written: [span, ...moved].map(({ start, end }) => text.slice(start, end)).join(' '),
    span,
    dropped: node.children.filter((part) => part.role === 'hints' || isMoved(part)),
    isTurned: node.children.some(({ role }) => role === 'pivots'),
  };
}

const CLOSING = /(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*\)/y;

/** `ONLY t` or `ONLY (t)`. A bracket that is misread makes a text that does not parse, which is refused. */
function onlySpan({ start }: SqlNode, nameSpan: Span, text: string): Span {
  CLOSING.lastIndex = nameSpan.end;
  const isBracketed = text.slice(start, nameSpan.start).includes('(') && CLOSING.test(text);
  return { start, end: isBracketed ? CLOSING.lastIndex : nameSpan.end };
}
