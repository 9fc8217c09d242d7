import type { NamedSchema } from '../scope/schema-index.ts';
import type { Scopes } from '../scope/scope.ts';
import { scopes } from '../scope/scopes.ts';
import type { Span } from '../span.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';
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
}

export type TablePlaces =
  | { readonly ok: true; readonly places: readonly TablePlace[]; readonly resolved: Scopes }
  | { readonly ok: false; readonly reason: string; readonly span: Span };

/** Children of a Table that leave no room for a subquery in its place. */
const STUCK_ROLES: ReadonlySet<string> = new Set(['sample', 'version', 'pivots', 'ordinality']);

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
    const stuck = node.children.find(({ role }) => STUCK_ROLES.has(role));
    const kind = node.type === 'Table' ? 'from' : node.role === 'field' ? 'in' : undefined;
    if (stuck !== undefined || kind === undefined) {
      const reason = `${table.name} is read with ${stuck?.type ?? node.type}, which cannot be rewritten`;
      return { ok: false, reason, span: stuck ?? node };
    }
    places.push(placeOf(kind, node, table.id));
  }
  return { ok: true, places, resolved };
}

function placeOf(kind: TablePlace['kind'], node: SqlNode, tableId: string): TablePlace {
  const names = node.children.filter(({ type }) => type === 'Identifier');
  const last = names.at(-1);
  const alias = node.children
    .find(({ role }) => role === 'alias')
    ?.children.find(({ role }) => role === 'this');
  const nameSpan = { start: names[0]?.start ?? node.start, end: last?.end ?? node.end };
  const called = alias ?? last;
  return {
    kind,
    node,
    tableId,
    nameSpan,
    called: called?.value ?? '',
    calledSpan: called ?? node,
    hasAlias: alias !== undefined,
  };
}
