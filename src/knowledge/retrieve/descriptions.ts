/** What people and machines call the tables and columns of a catalog, beside their names. */
import type { Catalog } from '../../catalog/index.ts';
import type { KnowledgeGraph } from '../graph/knowledge-graph.ts';
import { findDatasetTable } from '../semantic/find-dataset-table.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';

export interface Descriptions {
  /** Descriptions and synonyms, human ones first. */
  table(id: string): readonly string[];
  column(id: string): readonly string[];
}

/** From the graph where there is one, which holds the semantic model; else from the model itself. */
export function descriptionsOf(
  catalog: Catalog,
  semantics: SemanticModel,
  graph?: KnowledgeGraph,
): Descriptions {
  if (graph !== undefined) return fromGraph(graph);
  const tables = new Map<string, string[]>();
  const columns = new Map<string, string[]>();
  for (const dataset of semantics.datasets) {
    const table = findDatasetTable(dataset, catalog);
    if (table === undefined) continue;
    add(tables, table.id, [dataset.description ?? '', dataset.name, ...dataset.synonyms]);
    for (const { table: name, column, ...dimension } of semantics.dimensions) {
      if (name !== dataset.table) continue;
      const id = `${table.id}.${column.slice(column.lastIndexOf('.') + 1)}`;
      add(columns, id, [dimension.description ?? '', dimension.name, ...dimension.synonyms]);
    }
  }
  return { table: (id) => tables.get(id) ?? [], column: (id) => columns.get(id) ?? [] };
}

function fromGraph(graph: KnowledgeGraph): Descriptions {
  const texts = (node: ReturnType<KnowledgeGraph['table'] | KnowledgeGraph['column']>): readonly string[] =>
    node === undefined ? [] : [...node.descriptions, ...node.synonyms].map(({ value }) => value);
  return { table: (id) => texts(graph.table(id)), column: (id) => texts(graph.column(id)) };
}

function add(known: Map<string, string[]>, id: string, texts: readonly string[]): void {
  known.set(id, [...(known.get(id) ?? []), ...texts.filter((text) => text !== '')]);
}
