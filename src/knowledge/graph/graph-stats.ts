import type { Catalog } from '../../catalog/index.ts';
import type { Authored } from '../authored/authored.ts';
import type { VerifiedPair } from '../authored/examples.ts';
import type { StoredClusters } from '../clusters/stored-clusters.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';
import type { Usage } from '../usage/usage.ts';
import type { Fact, FactSource, GraphStats, KnowledgeGraph } from './knowledge-graph.ts';

/** Counts things, facts by who said them, and what nobody has described; looks at every table and column. */
export function graphStats(
  graph: KnowledgeGraph,
  {
    semantics,
    clustering,
    examples,
    usage,
  }: Pick<GraphSources, 'semantics' | 'clustering' | 'examples' | 'usage'>,
): GraphStats {
  const facts: Record<FactSource, number> = { person: 0, import: 0, engine: 0, usage: 0, model: 0 };
  const count = (said: readonly Fact<unknown>[]): void => {
    for (const { from } of said) facts[from.source] += 1;
  };
  const undescribed = { tables: 0, columns: 0 };
  let columns = 0;
  let joins = 0;
  for (const id of graph.tableIds) {
    const table = graph.table(id);
    if (table === undefined) continue;
    count([...table.descriptions, ...table.synonyms, ...present(table.popularity), ...present(table.status)]);
    if (!isDescribed(table)) undescribed.tables += 1;
    for (const columnId of table.columnIds) {
      const column = graph.column(columnId);
      if (column === undefined) continue;
      columns += 1;
      count([...column.descriptions, ...column.synonyms, ...present(column.popularity)]);
      if (!isDescribed(column)) undescribed.columns += 1;
    }
    // Every edge stands with both of its tables; it counts with the left one.
    for (const { leftTable, said } of graph.joins(id)) {
      if (leftTable !== id) continue;
      joins += 1;
      count(said);
    }
  }
  count([...graph.notes, ...graph.jargon, ...graph.areas]);
  facts.person += examples.length + semantics.metrics.length + semantics.dimensions.length;
  facts.usage += usage?.examples.length ?? 0;
  return {
    things: {
      table: graph.tableIds.length,
      column: columns,
      join: joins,
      note: graph.notes.length,
      jargon: graph.jargon.length,
      area: graph.areas.length,
      user: graph.users.length,
      example: examples.length + (usage?.examples.length ?? 0),
      metric: semantics.metrics.length,
      dimension: semantics.dimensions.length,
      cluster: clustering?.about().clusterCount ?? 0,
    },
    facts,
    undescribed,
  };
}

/** A guess of a model is no description yet. */
function isDescribed({ descriptions }: { readonly descriptions: readonly Fact<string>[] }): boolean {
  return descriptions.some(({ from }) => from.source !== 'model');
}

function present<Value>(fact: Fact<Value> | undefined): readonly Fact<Value>[] {
  return fact === undefined ? [] : [fact];
}

/** What a graph is made of. */
export interface GraphSources {
  /** With the links of the semantic model (`addSemanticKeys`). */
  readonly catalog: Catalog;
  readonly semantics: SemanticModel;
  readonly authored: Authored;
  readonly examples: readonly VerifiedPair[];
  readonly usage?: Usage | undefined;
  readonly clustering?: Pick<StoredClusters, 'about' | 'clustersOf' | 'users'> | undefined;
  /** Day the catalog was read, YYYY-MM-DD. */
  readonly readAt?: string | undefined;
}

/** Makes a value the first time it is asked for. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
