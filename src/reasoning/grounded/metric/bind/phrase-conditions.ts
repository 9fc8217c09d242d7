import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { ReadWords } from '../../question/dialogue/turn.ts';
import type { Mention } from '../../question/mention/mention.ts';
import { findHints } from '../frame/metric-hints.ts';
import type { BoundMetric, BoundMetricFilter } from './bind-metric.ts';

/** Words that were read whole by what columns of one table have to do with one another. */
export function isPhrase({ meaning, nouns }: Mention): boolean {
  return meaning !== undefined && nouns.length > 0;
}

/**
 * What phrases say of the rows of metrics ("shipments on Fridays", "orders shipped late"); undefined where one of them is a
 * figure, or speaks of other rows than those that are measured.
 */
export function phraseConditions(
  bounds: readonly BoundMetric[],
  { tokens, mentions }: Pick<ReadWords, 'tokens' | 'mentions'>,
  { graph, semantics }: GroundedKnowledge,
): readonly BoundMetricFilter[] | undefined {
  const filters: BoundMetricFilter[] = [];
  const { scattered } = findHints(tokens, semantics);
  for (const mention of mentions.filter(isPhrase)) {
    // "what % of deliveries were late": the late ones are a figure of their own.
    if (scattered?.tokens.has(mention.to - 1)) continue;
    const { conditions = [], columns = [], figure, ranking, having } = mention.meaning ?? {};
    const [condition, other] = conditions;
    const isMore = [other, figure, ranking, having].some((part) => part !== undefined) || columns.length > 0;
    if (condition === undefined || isMore) return undefined;
    const { predicate, tables } = condition;
    const [table] = tables;
    const isOfMetrics = bounds.every(({ parts }) => parts.every((part) => part.table === table));
    const column = table === undefined ? undefined : graph.table(table).columns[0];
    if (!isOfMetrics || tables.length !== 1 || column === undefined) return undefined;
    const term = { values: [], named: [], isNegated: false, mention, isPredicate: true };
    filters.push({ term, columnId: column.id, values: [], stated: { predicate, tables, mention } });
  }
  return filters;
}
