/** Brings the search store up to date with everything that is known; what did not change is not written again. */
import type { Catalog } from '../../../catalog/index.ts';
import type { Authored } from '../../authored/authored.ts';
import type { KnowledgeGraph } from '../../graph/knowledge-graph.ts';
import type { SearchDocument, SearchStore, SyncCounts } from '../../search/search-store.ts';
import { findDatasetTable } from '../../semantic/find-dataset-table.ts';
import type { SemanticModel } from '../../semantic/semantic-model.ts';
import type { KnownExample } from '../texts/find-examples.ts';
import { catalogDocuments, descriptionsOf } from './catalog-documents.ts';

export interface SearchableKnowledge {
  /** Restricted to what the reader may see where a policy restricts: nothing else gets into the index. */
  readonly catalog: Catalog;
  readonly semantics: SemanticModel;
  readonly authored: Authored;
  readonly examples: readonly KnownExample[];
  readonly graph?: KnowledgeGraph;
}

export interface SearchSync {
  /** Tables and columns. */
  readonly catalog: SyncCounts;
  /** Notes, jargon, examples, metrics and dimensions. */
  readonly authored: SyncCounts;
}

/**
 * Two transactions: the catalog, which is large, and what people wrote. Cancelled or killed, each is whole or as it
 * was. Throws what the store throws.
 */
export async function syncSearch(
  store: SearchStore,
  knowledge: SearchableKnowledge,
  signal?: AbortSignal,
): Promise<SearchSync> {
  const { catalog, semantics, graph } = knowledge;
  const descriptions = descriptionsOf(catalog, semantics, graph);
  const ofCatalog = await store.sync(['table', 'column'], catalogDocuments(catalog, descriptions), signal);
  const kinds = ['note', 'jargon', 'example', 'metric', 'dimension'] as const;
  const ofAuthored = await store.sync(kinds, writtenDocuments(knowledge), signal);
  return { catalog: ofCatalog, authored: ofAuthored };
}

function* writtenDocuments({ authored, examples, semantics, catalog }: SearchableKnowledge) {
  yield* authoredDocuments(authored);
  yield* exampleDocuments(examples);
  yield* semanticDocuments(semantics, catalog);
}

// Notes, jargon, metrics, dimensions and verified pairs as searchable documents.

/** One document per note and term; `tableIds` are the tables a note names, so that a scope leaves out the others'. */
function* authoredDocuments({ notes, jargon }: Authored): Generator<SearchDocument> {
  for (const { id, text, topic, tables } of notes)
    yield { kind: 'note', id, title: topic.join(' '), body: text, tableIds: tables };
  for (const { term, meaning, place } of jargon)
    yield { kind: 'jargon', id: `${place} ${term}`, title: term, body: meaning, tableIds: [] };
}

/** The question is the title: it weighs more than the names in the SQL. */
function* exampleDocuments(examples: readonly KnownExample[]): Generator<SearchDocument> {
  for (const { pair, tables } of examples)
    yield { kind: 'example', id: pair.file, title: pair.question, body: '', tableIds: tables };
}

function* semanticDocuments(semantics: SemanticModel, catalog: Catalog): Generator<SearchDocument> {
  const idOf = new Map(
    semantics.datasets.map((dataset) => [dataset.table, findDatasetTable(dataset, catalog)?.id]),
  );
  const tableIds = (name: string | undefined): readonly string[] => {
    const id = name === undefined ? undefined : idOf.get(name);
    return id === undefined ? [] : [id];
  };
  for (const { name, synonyms, description, table } of semantics.metrics) {
    const body = [description ?? '', ...synonyms].filter(Boolean).join('\n');
    yield { kind: 'metric', id: name, title: name, body, tableIds: tableIds(table) };
  }
  for (const { name, synonyms, description, table } of semantics.dimensions) {
    const body = [description ?? '', ...synonyms].filter(Boolean).join('\n');
    yield { kind: 'dimension', id: name, title: name, body, tableIds: tableIds(table) };
  }
}
