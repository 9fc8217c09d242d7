/** What retrieval reads once of everything that is known, for one reader. */
import type { Catalog } from '../../catalog/index.ts';
import type { EmbeddingModel } from '../../model/index.ts';
import type { Authored, JargonTerm } from '../authored/authored.ts';
import type { VerifiedPair } from '../authored/examples.ts';
import type { KnowledgeGraph } from '../graph/knowledge-graph.ts';
import type { SearchStore } from '../search/search-store.ts';
import { findDatasetTable } from '../semantic/find-dataset-table.ts';
import type { Dimension, Metric, SemanticModel } from '../semantic/semantic-model.ts';
import type { RetrievalSettings } from './settings/retrieval-settings.ts';
import type { QuestionVector, TableStanding } from './tables/search-tables.ts';
import { indexTables, type TableIndex } from './tables/table-index.ts';
import {
  type ExampleShelf,
  type KnownExample,
  knownExamples,
  shelveExamples,
} from './texts/find-examples.ts';
import { type NoteShelf, shelveNotes } from './texts/find-notes.ts';
import type { ValuesFound } from './values/find-values.ts';

/** What a retrieval is asked, and what its parts share while it runs. */
export interface RetrievalRequest {
  readonly question: string;
  /** Outside knowledge given with the question. */
  readonly hint?: string;
  /** Chosen by a model; absent: taken from the words of the question. */
  readonly keywords?: readonly string[];
  /** Canonical ids of the tables of the session; absent: all that the reader may see. */
  readonly scope?: ReadonlySet<string>;
  /** Tables wanted; absent: as many as the settings say. */
  readonly mostTables?: number;
  readonly user?: string;
  readonly areas?: readonly string[];
  readonly signal?: AbortSignal;
}

/** One call of `retrieve`, as its parts see it. */
export interface Asking {
  readonly request: RetrievalRequest;
  readonly sources: RetrievalSources;
  readonly settings: RetrievalSettings;
  readonly keywords: readonly string[];
  /** By text; empty without a model. */
  readonly vectors: ReadonlyMap<string, QuestionVector>;
  /** Grows as sources fail. */
  readonly warnings: string[];
}

export interface RetrievalKnowledge {
  /** Restricted to what the reader may see; a table that is not in it is found nowhere. */
  readonly catalog: Catalog;
  /** Ids of tables the reader may not see: notes about them are left out. */
  readonly hiddenTables?: ReadonlySet<string>;
  readonly semantics: SemanticModel;
  readonly authored: Authored;
  readonly examples: readonly VerifiedPair[];
  readonly store: SearchStore;
  /** Absent: words and names only. */
  readonly model?: EmbeddingModel;
  readonly graph?: KnowledgeGraph;
  /** The value index of this reader; absent: there is none. What it throws ends the retrieval. */
  readonly findValues?: FindValues;
}

type FindValues = (
  keywords: readonly string[],
  options: {
    readonly scope?: ReadonlySet<string>;
    readonly embedding?: EmbeddingModel;
    readonly signal?: AbortSignal;
  },
) => Promise<ValuesFound>;

export interface RetrievalSources {
  readonly store: SearchStore;
  readonly model?: EmbeddingModel;
  readonly findValues?: FindValues;
  readonly tables: TableIndex;
  /** Ids of every table the reader may see, where the search store may hold more; absent: it holds no others. */
  readonly visible?: ReadonlySet<string>;
  readonly standing: (tableId: string) => TableStanding;
  readonly notes: NoteShelf;
  readonly examples: ExampleShelf;
  /** To be synchronised with the search store. */
  readonly knownExamples: readonly KnownExample[];
  readonly jargon: readonly JargonTerm[];
  readonly metrics: readonly Metric[];
  readonly dimensions: readonly Dimension[];
  /** Canonical id of the table of a metric or dimension. */
  readonly tableOfDataset: (name: string) => string | undefined;
  /** What was left out on reading. */
  readonly warnings: readonly string[];
}

/** Reads it all once; to be called again when the catalog or what people wrote has changed. */
export function prepareRetrieval(knowledge: RetrievalKnowledge): RetrievalSources {
  const { catalog, semantics, authored, store, model, findValues, hiddenTables } = knowledge;
  const tables = indexTables(catalog);
  const idOf = new Map(
    semantics.datasets.map((dataset) => [dataset.table, findDatasetTable(dataset, catalog)?.id]),
  );
  const isVisible = (name: string | undefined): boolean => name === undefined || idOf.get(name) !== undefined;
  const metrics = semantics.metrics.filter(({ table }) => isVisible(table));
  const dimensions = semantics.dimensions.filter(({ table }) => isVisible(table));
  const jargon = [
    ...authored.jargon,
    ...semantics.jargon.map((term) => ({ ...term, place: 'the semantic model' })),
  ];
  const { examples, warnings } = knownExamples(knowledge.examples, catalog);
  const terms = [...metrics, ...dimensions]
    .flatMap(({ name, synonyms }) => [name, ...synonyms])
    .concat(jargon.map(({ term }) => term));
  return {
    store,
    ...(model === undefined ? {} : { model }),
    ...(findValues === undefined ? {} : { findValues }),
    tables,
    ...(hiddenTables?.size ? { visible: new Set(catalog.tables.map(({ id }) => id)) } : {}),
    standing: standingOf(authored, knowledge.graph),
    notes: shelveNotes(authored.notes, tables, { terms, ...(hiddenTables && { hiddenTables }) }),
    examples: shelveExamples(examples),
    knownExamples: examples,
    jargon,
    metrics,
    dimensions,
    tableOfDataset: (name) => idOf.get(name),
    warnings: hiddenTables?.size ? leftOutUnnamed(warnings.length) : warnings,
  };
}

/** The name of a pair may tell of a table that the reader may not see. */
function leftOutUnnamed(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    `${count} verified pair${count === 1 ? ' names' : 's name'} what is not in the catalog of this reader`,
  ];
}

function standingOf(
  { statuses }: Authored,
  graph: KnowledgeGraph | undefined,
): (id: string) => TableStanding {
  const statusOf = new Map(statuses.map(({ table, status }) => [table, status]));
  return (id) => {
    const node = graph?.table(id);
    const status = statusOf.get(id) ?? node?.status?.value.status;
    return {
      isCertified: status === 'certified',
      isDeprecated: status === 'deprecated',
      popularity: node?.popularity?.value ?? 0,
    };
  };
}
