/** What EviLink reads besides the question, and how far it has come. */
import type { SharedColumn, SharedStatistics, SharedText } from '../../../catalog/share/index.ts';
import type { QueryLimits, QueryResult } from '../../../database/index.ts';
import type { SharedTables } from '../../../knowledge/retrieve/index.ts';
import type { ViewedTable } from '../../../reasoning/roles/link-reasoner.ts';
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

/** Columns with their statistics, which a loaded catalog leaves in the store. */
type StatisticsOf = EvilinkSources['statisticsOf'];

/** One column after the other: statistics are read table by table. */
export async function tablesWithStatistics(
  tables: readonly ViewedTable[],
  statisticsOf: StatisticsOf,
): Promise<readonly ViewedTable[]> {
  const filled: ViewedTable[] = [];
  for (const viewed of tables) {
    const columns: SharedColumn[] = [];
    for (const column of viewed.columns) columns.push(await columnWithStatistics(column, statisticsOf));
    filled.push({ ...viewed, columns });
  }
  return filled;
}

/** The column itself where nothing is known of its values. */
export async function columnWithStatistics(
  column: SharedColumn,
  statisticsOf: StatisticsOf,
): Promise<SharedColumn> {
  const { profile } = column;
  if (profile === undefined || profile.statistics !== undefined) return column;
  const statistics = await statisticsOf?.(column.id);
  return statistics === undefined ? column : { ...column, profile: { ...profile, statistics } };
}
