/** Brings the search store up to date with everything that is known; what did not change is not written again. */
import type { Catalog } from '../../catalog/index.ts';
import type { Authored } from '../authored/authored.ts';
import type { KnowledgeGraph } from '../graph/knowledge-graph.ts';
import type { SearchStore, SyncCounts } from '../search/search-store.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';
import { authoredDocuments, exampleDocuments, semanticDocuments } from './authored-documents.ts';
import { catalogDocuments } from './catalog-documents.ts';
import { descriptionsOf } from './descriptions.ts';
import type { KnownExample } from './known-example.ts';

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
