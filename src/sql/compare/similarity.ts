import type { SqlTree } from '../tree/node.ts';
import { type Component, type ComponentOptions, components } from './components.ts';

/**
 * How alike two queries are, from 0 to 1: S_ast of BAR-SQL (equation 11), the F1 of their components as multisets,
 * 2·|A ∩ B| / (|A| + |B|). It is 1 for queries that differ only in spelling. As a measure of bags it may be 1 for
 * others too: two branches of a UNION that swap their conditions. `normalKey` tells those apart.
 */
export function similarity(a: SqlTree, b: SqlTree, options: ComponentOptions = {}): number {
  return componentOverlap(components(a, options), components(b, options));
}

/** The same for components at hand, as when one query is compared with many. */
export function componentOverlap(a: readonly Component[], b: readonly Component[]): number {
  const left = new Map<string, number>();
  let total = 0;
  for (const { text, weight } of a) {
    left.set(text, (left.get(text) ?? 0) + weight);
    total += weight;
  }
  let shared = 0;
  for (const { text, weight } of b) {
    const rest = left.get(text) ?? 0;
    const taken = Math.min(rest, weight);
    if (taken > 0) left.set(text, rest - taken);
    shared += taken;
    total += weight;
  }
  return total === 0 ? 1 : (2 * shared) / total;
}
