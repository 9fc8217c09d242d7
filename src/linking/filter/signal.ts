import type { LinkReason } from '../schema/linked-schema.ts';

/** What speaks for a table or a column. */
export interface Signal {
  /** In [0, 1]. */
  readonly score: number;
  readonly because: readonly LinkReason[];
}
