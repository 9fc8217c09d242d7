import type { Catalog } from '../../../catalog/index.ts';
import { queryTerms } from '../../search/search-terms.ts';
import { findDatasetTable } from '../../semantic/find-dataset-table.ts';
import type { SemanticModel } from '../../semantic/semantic-model.ts';
import { RETRIEVAL_DEFAULTS } from '../settings/retrieval-settings.ts';
import { findBusinessWords } from './find-business-words.ts';
import { findExamples, type KnownExample, shelveExamples } from './find-examples.ts';

export interface AuthoredSources {
  readonly examples: readonly KnownExample[];
  readonly semantics: SemanticModel;
  /** With the tables of the semantic model. */
  readonly catalog: Catalog;
}

/**
 * Ids of the tables that people have written a question like this one into: those of metrics and dimensions that it
 * names in full, and those that verified pairs much like it read.
 */
export function authoredTables(
  question: string,
  { examples, semantics, catalog }: AuthoredSources,
): readonly string[] {
  const asked = { question, terms: queryTerms(question), cosines: new Map<string, number>() };
  const limits = { ...RETRIEVAL_DEFAULTS.metrics, leastCosine: 1 };
  const words = [...semantics.metrics, ...semantics.dimensions];
  const { found } = findBusinessWords(asked, words, { ...limits, most: words.length });
  const defined = found.flatMap(({ item, score }) => (score < 1 ? [] : [item.table]));
  const pairs = findExamples(asked, shelveExamples(examples), () => true, RETRIEVAL_DEFAULTS.examples);
  const like = pairs.examples.flatMap(({ item }) => (item.isWeak ? [] : [item.pair.file]));
  const ids = new Set<string>();
  for (const { table, ...dataset } of semantics.datasets) {
    if (!defined.includes(table)) continue;
    const home = findDatasetTable({ ...dataset, table }, catalog);
    if (home !== undefined) ids.add(home.id);
  }
  for (const { pair, tables } of examples) if (like.includes(pair.file)) for (const id of tables) ids.add(id);
  return [...ids];
}
