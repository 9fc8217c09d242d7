/** Algorithm 1 from the components on. Source: LinkedIn, section 4.1. */
import type { TableCluster } from './clusters.ts';

export interface Components {
  /** Row-major, tables × components. */
  readonly scores: Float64Array;
  readonly components: number;
}

/**
 * Overlapping clusters: of each component the `size` best tables, and every table where it scores best. The sign of a
 * component means nothing, so each is turned until its heavy tail is positive.
 */
export function softClusters(
  tables: readonly string[],
  { scores, components }: Components,
  size: number,
): TableCluster[] {
  const turned = turnTailsUp({ scores, components });
  const members = Array.from({ length: components }, () => new Set<number>());
  for (const [component, own] of members.entries()) {
    const order = Array.from(tables.keys()).sort(
      (a, b) => turned[b * components + component]! - turned[a * components + component]! || a - b,
    );
    for (const table of order.slice(0, size)) own.add(table);
  }
  for (const table of tables.keys()) members[bestComponent(turned, components, table)]?.add(table);
  return members.map((own, id) => ({
    id,
    tables: [...own]
      .map((table) => ({ tableId: tables[table]!, score: turned[table * components + id]! }))
      .sort((a, b) => b.score - a.score || (a.tableId < b.tableId ? -1 : 1)),
  }));
}

/** Components with a negative third moment change their sign. */
export function turnTailsUp({ scores, components }: Components): Float64Array {
  const signs = columnMoments({ scores, components }, 3).map((moment) => (moment < 0 ? -1 : 1));
  return scores.map((score, at) => score * signs[at % components]!);
}

/** Mean over the components of |excess kurtosis|: how far from normal, that is how well separated, they are. */
export function meanKurtosis(found: Components): number {
  const second = columnMoments(found, 2);
  const fourth = columnMoments(found, 4);
  const excess = fourth.map((moment, c) => (second[c] === 0 ? 0 : Math.abs(moment / second[c]! ** 2 - 3)));
  return excess.reduce((sum, value) => sum + value, 0) / Math.max(1, excess.length);
}

/** Central moments of each column. */
function columnMoments({ scores, components }: Components, power: 2 | 3 | 4): number[] {
  const rows = scores.length / components;
  const means = new Float64Array(components);
  for (let at = 0; at < scores.length; at += 1) means[at % components]! += scores[at]! / rows;
  const moments = new Float64Array(components);
  for (let at = 0; at < scores.length; at += 1)
    moments[at % components]! += (scores[at]! - means[at % components]!) ** power / rows;
  return [...moments];
}

function bestComponent(scores: Float64Array, components: number, table: number): number {
  let best = 0;
  for (let component = 1; component < components; component += 1)
    if (scores[table * components + component]! > scores[table * components + best]!) best = component;
  return best;
}
