import type { Evidence } from '../answer.ts';
import type { Catalog } from '../catalog/index.ts';
import type { LinkedItem } from '../linking/index.ts';
import { parse, type Scopes, scopes } from '../sql/index.ts';
import type { SqlNode } from '../sql/tree/index.ts';

/**
 * Why each table and column stands in SQL that a model wrote: the reasons linking had for it, once each, at its first
 * place. What linking did not expect is marked uncertain. Empty for SQL that cannot be parsed.
 */
export function evidenceOfLinks(
  sql: string,
  catalog: Catalog,
  items: readonly LinkedItem[],
): readonly Evidence[] {
  const parsed = parse(sql, catalog.dialect);
  if (!parsed.ok) return [];
  const resolved = scopes(parsed.tree, catalog);
  const linked = new Map(items.map((item) => [item.id, item]));
  const found = new Map<string, Evidence>();
  for (const node of parsed.tree.nodes) {
    for (const id of idsAt(node, resolved)) {
      if (!found.has(id)) found.set(id, evidenceAt(node, sql, linked.get(id)));
    }
  }
  return [...found.values()];
}

/** Canonical ids of the table or the columns that a node names. */
function idsAt(node: SqlNode, { sources, references }: Scopes): readonly string[] {
  const table = sources[node.id]?.table;
  if (table !== undefined) return [table.id];
  const reference = references[node.id];
  return reference?.kind === 'column' ? reference.lineage.physical.map(({ id }) => id) : [];
}

function evidenceAt({ start, end }: SqlNode, sql: string, item: LinkedItem | undefined): Evidence {
  const [first] = item?.because ?? [];
  return {
    sqlSpan: { start, end },
    part: sql.slice(start, end),
    certainty: item === undefined || item.tier === 'maybe' ? 'uncertain' : item.isAuto ? 'assumed' : 'stated',
    why: first?.text ?? 'the model chose it; nothing else speaks for it',
  };
}
