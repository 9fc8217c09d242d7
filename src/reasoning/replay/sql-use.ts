/** What one query uses of a catalog, and whose rows it is about. */
import type { Catalog } from '../../catalog/index.ts';
import { ancestor, items, type Scopes, type SqlNode, type SqlTree, scopes } from '../../sql/index.ts';

export interface SqlUse {
  /** Canonical ids. */
  readonly tables: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
  /** Tables whose columns the query shows or whose rows it counts: what the question is about. */
  readonly subjects: ReadonlySet<string>;
}

/** Names that the catalog lacks are left out: a prediction may have invented them. */
export function readUse(tree: SqlTree, catalog: Catalog): SqlUse {
  const { tables, columns } = items(tree, catalog);
  const resolved = scopes(tree, catalog);
  return {
    tables: new Set(tables.map(({ id }) => id)),
    fields: new Set(columns.map(({ id }) => id)),
    subjects: new Set([...shownTables(resolved), ...countedTables(tree, resolved)]),
  };
}

function shownTables({ root }: Scopes): string[] {
  const shown = root?.outputs.list.flatMap(({ lineage }) => [...lineage.physical, ...lineage.from]) ?? [];
  return shown.map(({ table }) => table.id);
}

/** Of `COUNT(t.a)` the table t; of `COUNT(*)` every table the query reads. */
function countedTables(tree: SqlTree, resolved: Scopes): string[] {
  return tree.nodes
    .filter(({ type }) => type === 'Count')
    .flatMap((count) => {
      const named = tree.nodes
        .filter((node) => isInside(node, count))
        .flatMap((node) => tablesOf(node, resolved));
      if (named.length > 0) return named;
      return (resolved.places[count.id]?.sources ?? []).flatMap(({ table }) => table?.id ?? []);
    });
}

function isInside(node: SqlNode, outer: SqlNode): boolean {
  return ancestor(node, (above) => above === outer) !== undefined;
}

function tablesOf(node: SqlNode, { references }: Scopes): string[] {
  const reference = references[node.id];
  if (reference === undefined || reference.kind === 'star' || !('lineage' in reference)) return [];
  return reference.lineage.physical.map(({ table }) => table.id);
}
