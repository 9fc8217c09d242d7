/** What a retrieval is asked, and what its parts share while it runs. */
import type { RetrievalSources } from './prepare-retrieval.ts';
import type { RetrievalSettings } from './settings/retrieval-settings.ts';
import type { QuestionVector } from './tables/search-tables.ts';

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
