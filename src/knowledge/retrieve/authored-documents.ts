/** Notes, jargon, metrics, dimensions and verified pairs as searchable documents. */
import type { Catalog } from '../../catalog/index.ts';
import type { Authored } from '../authored/authored.ts';
import type { SearchDocument } from '../search/search-store.ts';
import { findDatasetTable } from '../semantic/find-dataset-table.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';
import type { KnownExample } from './known-example.ts';

/** One document per note and term; `tableIds` are the tables a note names, so that a scope leaves out the others'. */
export function* authoredDocuments({ notes, jargon }: Authored): Generator<SearchDocument> {
  for (const { id, text, topic, tables } of notes)
    yield { kind: 'note', id, title: topic.join(' '), body: text, tableIds: tables };
  for (const { term, meaning, place } of jargon)
    yield { kind: 'jargon', id: `${place} ${term}`, title: term, body: meaning, tableIds: [] };
}

/** The question is the title: it weighs more than the names in the SQL. */
export function* exampleDocuments(examples: readonly KnownExample[]): Generator<SearchDocument> {
  for (const { pair, tables } of examples)
    yield { kind: 'example', id: pair.file, title: pair.question, body: '', tableIds: tables };
}

export function* semanticDocuments(semantics: SemanticModel, catalog: Catalog): Generator<SearchDocument> {
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
