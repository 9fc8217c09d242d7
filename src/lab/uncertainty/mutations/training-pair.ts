/** A query to learn from, beside the one that is right. */
import type { Catalog } from '../../../catalog/index.ts';
import type { ReadQuery } from '../../../faults/index.ts';
import type { Edit } from './mutation.ts';

export interface TrainingPair {
  /** The question; its pairs follow each other and share `gold`. */
  readonly questionId: string;
  readonly database: string;
  readonly catalog: Catalog;
  readonly question: string;
  readonly hint: string;
  readonly gold: ReadQuery;
  readonly generated: ReadQuery;
  /**
   * Whether it gives the gold's rows: executed where an engine wrote it. Else by how it was made, which is not certain: an
   * error may leave the rows as they are, a tolerated change may not. A tree that differs may be right.
   */
  readonly right: boolean;
  /** What was done to the gold; empty for the gold itself and for queries that something else wrote. */
  readonly edits: readonly Edit[];
  /** Of one question's pairs the weights are 1 in sum. */
  readonly weight: number;
}
