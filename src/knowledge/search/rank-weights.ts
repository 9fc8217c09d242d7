/** How words are ranked: the constants of BM25 as FTS5 has them, which the PostgreSQL store repeats. */

/** A match in the title counts as much as this many in the body. */
export const TITLE_WEIGHT = 3;
/** How soon more of the same word stops to count, and how much a long text is held back. */
export const BM25 = { k1: 1.2, b: 0.75, leastIdf: 1e-6 } as const;
