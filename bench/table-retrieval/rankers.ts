/** Ways to find tables: ours with and without vectors, and two plain peers over the same index. */

import {
  RETRIEVAL_DEFAULTS,
  type RetrievalSettings,
} from '../../src/knowledge/retrieve/settings/retrieval-settings.ts';
import { searchTables } from '../../src/knowledge/retrieve/tables/search-tables.ts';
import type { TableIndex } from '../../src/knowledge/retrieve/tables/table-index.ts';
import type { SearchStore } from '../../src/knowledge/search/index.ts';
import type { EmbeddingModel } from '../../src/model/index.ts';
import type { WarehouseQuestion } from './read-warehouse.ts';
import { LIST, plainRecall, type Recall, recallOf } from './recall.ts';

export interface Ranker {
  readonly name: string;
  /** The encoder's part, which is timed apart: it does not depend on how much is searched. */
  readonly model?: EmbeddingModel;
  find(question: WarehouseQuestion, { scope, vector }: Search): Promise<() => Recall>;
}

export interface Search {
  readonly scope?: ReadonlySet<string>;
  /** Of the question, by the model of the ranker. */
  readonly vector?: Float32Array;
}

export interface Index {
  readonly store: SearchStore;
  readonly tables: TableIndex;
}

const NO_STANDING = { isCertified: false, isDeprecated: false, popularity: 0 };

/** Ours; the text given with a question counts as a hint does. */
export function ours(
  name: string,
  { store, tables }: Index,
  options: {
    readonly model?: EmbeddingModel;
    readonly settings?: RetrievalSettings;
    readonly hintOf?: (question: WarehouseQuestion) => string;
  } = {},
): Ranker {
  const { model, settings = RETRIEVAL_DEFAULTS, hintOf } = options;
  return {
    name,
    ...(model && { model }),
    async find(question, { scope, vector }) {
      const hint = hintOf?.(question) ?? '';
      const text = hint === '' ? question.text : `${question.text}\n${hint}`;
      const { tables: found } = await searchTables(
        {
          question: text,
          ...(scope && { scope }),
          ...(vector && model && { vector: { modelId: model.id, vector } }),
        },
        { store, tables, standing: () => NO_STANDING },
        settings,
      );
      return () => recallOf(question, found, tables);
    },
  };
}

/** BM25 over one document per table, nothing else. */
export function plainWords({ store, tables }: Index): Ranker {
  return {
    name: 'peer: BM25 over tables',
    async find(question, { scope }) {
      const query = { kinds: ['table'], limit: LIST, ...(scope && { scope }) } as const;
      const hits = await store.searchWords(question.text, query);
      return () =>
        plainRecall(
          question,
          hits.map(({ id }) => id),
          tables,
        );
    },
  };
}

/** Nearest tables by cosine, nothing else. */
export function plainVectors({ store, tables }: Index, name: string, model: EmbeddingModel): Ranker {
  return {
    name: `peer: vectors only, ${name}`,
    model,
    async find(question, { scope, vector = new Float32Array(model.dimensions) }) {
      const query = { kinds: ['table'], limit: LIST, ...(scope && { scope }) } as const;
      const hits = await store.searchVectors(model.id, vector, query);
      return () =>
        plainRecall(
          question,
          hits.map(({ id }) => id),
          tables,
        );
    },
  };
}
