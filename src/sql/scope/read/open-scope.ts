/** Begins the scope of a query. */
import type { SqlNode } from '../../tree/node.ts';
import { NO_COLUMNS } from '../state/columns.ts';
import type { Frame, OpenScope, Reading } from '../state/reading.ts';

export function openScope(reading: Reading, query: SqlNode, { kind, parent, outer }: Frame): OpenScope {
  const scope: OpenScope = {
    kind,
    query,
    parent,
    outer: outer?.scope,
    sources: [],
    merged: new Map(),
    outputs: NO_COLUMNS,
  };
  reading.scopes[query.id] = scope;
  return scope;
}
