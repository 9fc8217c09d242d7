/** Metrics that a query itself says it computes, by the name of an output: `AS net_new_leads`. */
import { child, isAggregateCall, walk } from '../../../sql/index.ts';
import { type NamedMetric, partsOf } from './named-metrics.ts';
import type { QueryUses } from './query-uses.ts';
import { wordsOf } from './question-words.ts';

/** Outputs of CTEs and derived tables count as well; a metric of the question goes before, unless it is the plain name of its rows. */
export function aliasedMetrics(
  uses: QueryUses,
  readings: readonly (readonly NamedMetric[])[],
): readonly NamedMetric[] {
  const { metrics, datasets } = uses.semantics;
  const rows = new Set(
    datasets.flatMap((one) => [one.name, one.table, ...one.synonyms]).map((name) => plainName(name)),
  );
  const taken = new Set(
    readings.flatMap((named) =>
      named.flatMap(({ metric }) => (rows.has(plainName(metric.name)) ? [] : [metric.table])),
    ),
  );
  const said = new Set(outputNames(uses).filter((name) => !rows.has(name)));
  const meant = metrics.filter(({ name, synonyms }) =>
    [name, ...synonyms].some((one) => said.has(plainName(one))),
  );
  const parts = new Set(meant.flatMap((metric) => partsOf(metric, metrics)));
  return [...parts].flatMap((metric) =>
    taken.has(metric.table) ? [] : [{ metric, places: [], isAliased: true }],
  );
}

/** What figures are called. */
function outputNames(uses: QueryUses): readonly string[] {
  return uses.nodes.flatMap((node) => {
    const alias = node.type === 'Alias' ? child(node, 'alias')?.value : undefined;
    return alias !== undefined && [...walk(node)].some(isAggregateCall) ? [plainName(alias)] : [];
  });
}

function plainName(name: string): string {
  return wordsOf(name.replace(/_/g, ' '))
    .map(({ plain }) => plain)
    .join(' ');
}
