/** Puts lineages together. */
import type { Lineage, OpenColumn, SchemaColumn } from './scope.ts';

const NONE: readonly never[] = Object.freeze([]);

export const NO_LINEAGE: Lineage = Object.freeze({ physical: NONE, from: NONE, open: NONE });

export function physicalLineage(column: SchemaColumn): Lineage {
  return { physical: [column], from: NONE, open: NONE };
}

export function openLineage(column: OpenColumn): Lineage {
  return { physical: NONE, from: NONE, open: [column] };
}

/** The lineage of a value that is one of several: branches of a set operation, sides of USING. */
export function uniteLineages(parts: readonly Lineage[]): Lineage {
  const filled = parts.filter((part) => part !== NO_LINEAGE);
  const first = filled[0];
  if (first === undefined) return NO_LINEAGE;
  if (filled.every((part) => part === first)) return first;
  return {
    physical: unite(filled.map((part) => part.physical)),
    from: unite(filled.map((part) => part.from)),
    open: uniteOpen(filled),
  };
}

/** The lineage of a value that is computed from others. */
export function computedLineage(parts: readonly Lineage[]): Lineage {
  const filled = parts.filter((part) => part !== NO_LINEAGE);
  if (filled.length === 0) return NO_LINEAGE;
  const from = unite(filled.flatMap((part) => [part.physical, part.from]));
  return { physical: NONE, from, open: uniteOpen(filled) };
}

export function isSameLineage(a: Lineage, b: Lineage): boolean {
  // Lineages only grow while a recursive CTE is read again, so equal sizes mean equal sets.
  return (
    a.physical.length === b.physical.length &&
    a.from.length === b.from.length &&
    a.open.length === b.open.length
  );
}

function unite<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const filled = lists.filter((list) => list.length > 0);
  if (filled.length < 2) return filled[0] ?? NONE;
  return [...new Set(filled.flat())];
}

function uniteOpen(parts: readonly Lineage[]): readonly OpenColumn[] {
  const all = parts.flatMap((part) => part.open);
  if (all.length < 2) return all;
  const seen = new Map<string, OpenColumn>();
  for (const column of all) seen.set(`${column.source.node.id} ${column.name.toLowerCase()}`, column);
  return [...seen.values()];
}
