/** A query read once for everything that looks at its nodes. */

import type { DialectName } from '../../sql/dialects/dialect.ts';
import { type ParseError, parse, type Scopes, scopes, types } from '../../sql/index.ts';
import type { Family, NamedSchema } from '../../sql/scope/index.ts';
import type { SqlTree } from '../../sql/tree/index.ts';

export interface ReadQuery {
  readonly tree: SqlTree;
  readonly scopes: Scopes;
  /** By node id. */
  readonly families: readonly Family[];
}

/** Nodes beyond which a query is not looked at: the labeller compares all pairs of nodes of two queries. */
export const MOST_NODES = 600;

export type QueryRead =
  | { readonly ok: true; readonly query: ReadQuery }
  | { readonly ok: false; readonly because: 'does not parse' | 'too large'; readonly error?: ParseError };

export function readQuery(sql: string, dialect: DialectName, schema: NamedSchema): QueryRead {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) return { ok: false, because: 'does not parse', error: parsed.error };
  if (parsed.tree.nodes.length > MOST_NODES) return { ok: false, because: 'too large' };
  const resolved = scopes(parsed.tree, schema);
  return {
    ok: true,
    query: { tree: parsed.tree, scopes: resolved, families: types(parsed.tree, resolved) },
  };
}
