import type { GoldKind, RewardCategory } from '../formula/reward-category.ts';

/** One output of a model beside what would have been right. */
export interface ScoreItem {
  /** Given back with the score. */
  readonly id?: string | number;
  readonly category: RewardCategory;
  readonly goldKind: GoldKind;
  /** SQL, or the sentence that is right. */
  readonly gold: string;
  /** All that the model wrote, with its tags. */
  readonly output: string;
  /** Absent: estimated from its characters. */
  readonly lengthTokens?: number;
  /** The question asks for an order; it counts where the gold has ORDER BY. */
  readonly orderMatters?: boolean;
  /** Tables of the schema the question was asked about that the database does not have in that shape. */
  readonly virtualTables?: readonly VirtualTable[];
}

/** `degenerate` items move columns between tables: this is such a table as the model saw it. */
export interface VirtualTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** A query over the real tables with its rows: with it results can be compared, else names alone are checked. */
  readonly sql?: string;
}
