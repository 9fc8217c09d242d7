/** What EviLink reads besides the question, and how far it has come. */
import type { SharedStatistics, SharedText } from '../../../catalog/index.ts';
import type { QueryLimits, QueryResult } from '../../../database/index.ts';
import type { SharedTables } from '../../../knowledge/index.ts';
import type { SharedReason } from '../../schema/linked-schema.ts';

export interface EvilinkSources {
  /** The catalog that the reasoner may see, with its families. */
  readonly tables: SharedTables;
  /** What retrieval found, by item id; a bare text is a reason of the kind `note`. Shown to the reasoner, never votes. */
  readonly notes: ReadonlyMap<string, readonly (SharedText | SharedReason)[]>;
  /** Tables that a table of a family stands for, the question's own first; empty: itself. */
  readonly membersOf: (tableId: string) => readonly string[];
  /** Table ids, likeliest first: what stays in view of a catalog that is too large, or that no path chose from. */
  readonly ranking?: readonly string[];
  /** Probability that the question needs a column: which of a wide table have room. */
  readonly likelihoodOf?: (columnId: string) => number;
  /** Evidence level L3; undefined where nothing is stored. */
  readonly statisticsOf?: (columnId: string) => Promise<SharedStatistics | undefined>;
  /** `query` of the guarded database; absent where nothing may be run, or no row may be shown. */
  readonly probe?: (sql: string, limits: QueryLimits, signal?: AbortSignal) => Promise<QueryResult>;
  readonly onProgress?: (progress: EvilinkProgress) => void;
}

export interface EvilinkProgress {
  readonly stage: 'hypotheses' | 'paths' | 'refinement';
  readonly done: number;
  /** At most: refinement may end earlier. */
  readonly total: number;
}
