/** Limits and switches of linking by rankers. */

export interface RankerSettings {
  /** Off: the tables stay in the order of retrieval. */
  readonly useTableRanker: boolean;
  /** Off: every column of the kept tables is relevant. */
  readonly useColumnRanker: boolean;
  /** Tables or families that the table ranker sees, and those that are kept of them. */
  readonly retrieveTables: number;
  readonly keepTables: number;
  /** Score below which a table is put aside although there is room; the best one is always kept. */
  readonly leastScore: number;
  /** Names of columns on the cards of the table ranker. */
  readonly showSchemas: boolean;
  /** Columns of one part of a wide table, and of one call of the column ranker. */
  readonly partColumns: number;
  readonly callColumns: number;
}

/**
 * Source: LinkedIn, sections 5.1 and 5.2; ours: the least score, as 1 is of no
 * use, and the columns of a call, about 10,000 tokens with their comments.
 */
export const RANKER_DEFAULTS: RankerSettings = {
  useTableRanker: true,
  useColumnRanker: true,
  retrieveTables: 20,
  keepTables: 7,
  leastScore: 2,
  showSchemas: false,
  partColumns: 120,
  callColumns: 360,
};
